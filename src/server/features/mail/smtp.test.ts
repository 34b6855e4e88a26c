import { describe, expect, test } from 'vitest';
import { parseConfig } from '#server/config/config.ts';
import { mailServer, refusal, strangeServer } from '#scripts/demo/mailServer.ts';
import { productionEnvironment as production } from '#test/support/productionEnvironment.ts';
import { selfSigned } from '#test/support/selfSigned.ts';
import { meets } from '#test/support/meets.ts';
import type { Mailer, Message } from './message.ts';
import { createMail } from './mailer.ts';
import { createSmtp } from './smtp.ts';

const from = { name: 'Brand, of course', address: 'hello@brand.example' };
const id = '0d1f6d1c-0000-4000-8000-000000000001';
const rendered = { subject: 'We have received your request', html: '<p>Grüße — ✓</p>', text: 'Grüße — ✓' };

function messageTo(overrides: Partial<Message> = {}): Message {
  return {
    id,
    to: { name: 'Kit Elmsworth', address: 'kit@example.com' },
    replyTo: { name: 'Us', address: 'desk@brand.example' },
    rendered,
    unsubscribeUrl: 'https://brand.example/api/unsubscribe?token=12.abc',
    ...overrides,
  };
}

/** A sender, closed when the test ends. */
function sender(port: number, scheme = 'smtp', query = ''): Mailer & Disposable {
  const url = `${scheme}://127.0.0.1:${port}${query}`;
  const smtp = createSmtp({ url, from, now: () => new Date('2026-06-01T12:00:00Z') });
  return { ...smtp, [Symbol.dispose]: () => smtp.close() };
}

describe('a message', () => {
  test('arrives unchanged, with the headers that mail programs need', async () => {
    meets('D.deliveries.24 D.deliveries.35');
    await using server = await mailServer();
    using smtp = sender(server.port);
    const result = await smtp.send(messageTo());
    expect(result).toEqual({
      outcome: 'delivered',
      status: 'SMTP 250',
      answer: expect.stringMatching(/^250 /),
      remoteId: `<${id}@brand.example>`,
    });
    const [got] = server.received;
    expect(got).toMatchObject({ from: from.address, to: ['kit@example.com'] });
    const email = await got?.email;
    expect(email).toMatchObject({
      subject: rendered.subject,
      from,
      to: [{ name: 'Kit Elmsworth', address: 'kit@example.com' }],
      replyTo: [{ name: 'Us', address: 'desk@brand.example' }],
      messageId: `<${id}@brand.example>`,
      date: '2026-06-01T12:00:00.000Z',
    });
    expect(email?.html?.trim()).toBe(rendered.html);
    expect(email?.text?.trim()).toBe(rendered.text);
    const headers = new Map(email?.headers.map(({ key, value }) => [key, value]));
    expect(headers.get('auto-submitted')).toBe('auto-generated');
    expect(headers.get('list-unsubscribe')).toBe('<https://brand.example/api/unsubscribe?token=12.abc>');
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  });

  test('without an unsubscribe link has no List-Unsubscribe header', async () => {
    await using server = await mailServer();
    using smtp = sender(server.port);
    await smtp.send(messageTo({ unsubscribeUrl: null }));
    expect(server.received[0]?.raw).not.toMatch(/List-Unsubscribe/i);
  });

  test('has the same Message-ID at each attempt', async () => {
    await using server = await mailServer();
    using smtp = sender(server.port);
    await smtp.send(messageTo());
    await smtp.send(messageTo());
    const emails = await Promise.all(server.received.map(({ email }) => email));
    expect(emails.map(({ messageId }) => messageId)).toEqual(Array(2).fill(`<${id}@brand.example>`));
  });

  test.each([
    'Kit\r\nBcc: all@example.com',
    'Kit\nX-Evil: 1\n\n<p>body</p>',
    'Kit" <all@example.com>, "x',
    'Kit <all@example.com>, Other',
    '=?utf-8?q?Kit=0D=0ABcc:_all@example.com?=',
  ])('from a person named %j gets no extra recipient or header', async (name) => {
    await using server = await mailServer();
    using smtp = sender(server.port);
    const sent = await smtp.send(
      messageTo({
        to: { name, address: 'kit@example.com' },
        replyTo: { name, address: 'kit@example.com' },
        rendered: { ...rendered, subject: name },
      }),
    );
    expect(sent.outcome).toBe('delivered');
    const [got] = server.received;
    expect(got?.to).toEqual(['kit@example.com']);
    const email = await got?.email;
    const keys = email?.headers.map(({ key }) => key) ?? [];
    expect(keys).not.toContain('bcc');
    expect(keys).not.toContain('x-evil');
    expect(email?.to?.map(({ address }) => address)).toEqual(['kit@example.com']);
    expect(email?.replyTo?.map(({ address }) => address)).toEqual(['kit@example.com']);
  });
});

describe('connections', () => {
  test('are reused, and each message is sent once', async () => {
    await using server = await mailServer();
    using smtp = sender(server.port);
    for (let count = 0; count < 5; count += 1) await smtp.send(messageTo());
    expect([server.received.length, server.connections()]).toEqual([5, 1]);
  });

  test('use TLS from the start or by STARTTLS, with a trusted certificate', async () => {
    const certificate = selfSigned('localhost');
    const trusting = `?tls.ca=${encodeURIComponent(certificate.cert)}&tls.servername=localhost`;
    await using fromStart = await mailServer({ ...certificate, secure: true });
    await using offered = await mailServer({ ...certificate, disabledCommands: [] });
    using first = sender(fromStart.port, 'smtps', trusting);
    using second = sender(offered.port, 'smtp', `${trusting}&requireTLS=true`);
    expect(await first.send(messageTo())).toMatchObject({ outcome: 'delivered' });
    expect(await second.send(messageTo())).toMatchObject({ outcome: 'delivered' });
    expect([fromStart, offered].map(({ received }) => received[0]?.secure)).toEqual([true, true]);
  });

  test('fail with an untrusted certificate, or without TLS if it is required', async () => {
    await using stranger = await mailServer({ ...selfSigned('localhost'), secure: true });
    await using plain = await mailServer();
    using first = sender(stranger.port, 'smtps');
    using second = sender(plain.port, 'smtp', '?requireTLS=true');
    for (const smtp of [first, second])
      expect(await smtp.send(messageTo())).toMatchObject({
        outcome: 'failed',
        refusal: 'ours',
        pausesChannel: true,
        reason: 'No secure connection to the mail server could be made. Check its certificate.',
      });
    expect([...stranger.received, ...plain.received]).toEqual([]);
  });

  test('in production require TLS of other machines, unless the URL disables it', async () => {
    const certificate = selfSigned('localhost');
    const trusting = `tls.ca=${encodeURIComponent(certificate.cert)}&tls.servername=localhost`;
    // This machine, by a name that is not a loopback name.
    const sendTo = async (port: number, query: string): Promise<string> => {
      const config = parseConfig({ ...production, SMTP_URL: `smtp://0.0.0.0:${port}?${query}` });
      const { mailer } = createMail(config, () => new Date());
      const { outcome } = await mailer.send(messageTo());
      mailer.close();
      return outcome;
    };
    // A proxy removed the server's STARTTLS offer.
    await using stripped = await mailServer();
    await using offered = await mailServer({ ...certificate, disabledCommands: [] });
    expect(await sendTo(stripped.port, '')).toBe('failed');
    expect(stripped.received).toEqual([]);
    expect(await sendTo(offered.port, trusting)).toBe('delivered');
    expect(offered.received[0]?.secure).toBe(true);
    expect(await sendTo(stripped.port, 'requireTLS=false')).toBe('delivered');
  });

  test('sign in with the URL’s credentials, also percent-encoded ones', async () => {
    await using server = await mailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, callback) =>
        username === 'kit@brand.example' && password === 'p@ss/word'
          ? callback(null, { user: username })
          : callback(refusal(535, 'who are you?')),
    });
    const smtpAt = (user: string): Mailer & Disposable => {
      const url = `smtp://${user}@127.0.0.1:${server.port}`;
      const smtp = createSmtp({ url, from, now: () => new Date() });
      return { ...smtp, [Symbol.dispose]: () => smtp.close() };
    };
    using good = smtpAt('kit%40brand.example:p%40ss%2Fword');
    using bad = smtpAt('kit%40brand.example:wrong');
    expect(await good.send(messageTo())).toMatchObject({ outcome: 'delivered' });
    // A password can be corrected, so the message is kept.
    expect(await bad.send(messageTo())).toMatchObject({
      outcome: 'failed',
      refusal: 'ours',
      pausesChannel: true,
      status: 'SMTP 535',
      reason: 'The mail server did not let us in (SMTP 535). Check the user name and password in SMTP_URL.',
    });
  });
});

/** A server that refuses at one step. */
function refusingAt(step: string, code: number, text: string): ReturnType<typeof mailServer> {
  const refuse = (_given: unknown, _session: unknown, callback: (error?: Error) => void): void =>
    callback(refusal(code, text));
  if (step === 'greeting')
    return mailServer({ onConnect: (_session, callback) => callback(refusal(code, text)) });
  if (step === 'MAIL FROM') return mailServer({ onMailFrom: refuse });
  if (step === 'RCPT') return mailServer({ onRcptTo: refuse });
  return mailServer({
    onData: (stream, _session, callback) => {
      stream.resume();
      stream.on('end', () => callback(refusal(code, text)));
    },
  });
}

describe('a refusal', () => {
  test.each([
    [
      'greeting',
      554,
      'no',
      'ours',
      'The mail server refused our connection (SMTP 554). Check SMTP_URL, and whether it blocks this host.',
    ],
    [
      'MAIL FROM',
      550,
      '5.4.5 Daily sending limit',
      'ours',
      'The mail server refused our sender (SMTP 550 5.4.5). Check MAIL_FROM and the limits of the mail account.',
    ],
    [
      'MAIL FROM',
      530,
      'no',
      'ours',
      'The mail server did not let us in (SMTP 530). Check the user name and password in SMTP_URL.',
    ],
    [
      'RCPT',
      550,
      '5.1.1 No such user',
      'recipient',
      'The mail server refused the address (SMTP 550 5.1.1). Check the provider’s email address.',
    ],
    ['RCPT', 450, 'no', 'later', 'The mail server did not take the message now (SMTP 450).'],
    ['RCPT', 552, '5.2.2 Full', 'later', 'The mail server did not take the message now (SMTP 552 5.2.2).'],
    [
      'RCPT',
      554,
      '5.7.1 Blocked',
      'ours',
      'The mail server refused us, not the address (SMTP 554 5.7.1). Check the mail account’s limits and reputation.',
    ],
    ['DATA', 451, 'no', 'later', 'The mail server did not take the message now (SMTP 451).'],
    ['DATA', 554, '5.7.1 Spam', 'later', 'The mail server did not take the message now (SMTP 554 5.7.1).'],
    [
      'DATA',
      554,
      '5.6.0 Malformed',
      'recipient',
      'The mail server refused the content of the message (SMTP 554 5.6.0). Call the clinic with the details.',
    ],
  ] as const)('at %s with %i %s concerns: %s', async (step, code, text, of, reason) => {
    await using server = await refusingAt(step, code, text);
    using smtp = sender(server.port);
    expect(await smtp.send(messageTo({ recipient: 'provider' }))).toEqual({
      outcome: 'failed',
      refusal: of,
      status: `SMTP ${code}`,
      answer: expect.stringContaining(text),
      reason,
      ...(['greeting', 'MAIL FROM'].includes(step) ? { pausesChannel: true } : {}),
    });
  });

  test('of one message does not affect the next', async () => {
    await using server = await mailServer({
      onRcptTo: ({ address }, _session, callback) =>
        callback(address.startsWith('gone@') ? refusal(550, 'no such person') : undefined),
    });
    using smtp = sender(server.port);
    const gone = messageTo({ to: { name: '', address: 'gone@example.com' } });
    const results = await Promise.all([gone, messageTo(), gone, messageTo()].map((each) => smtp.send(each)));
    expect(results.map(({ outcome }) => outcome)).toEqual(['failed', 'delivered', 'failed', 'delivered']);
  });
});

test('a refused sender is named by its setting, and other senders get through', async () => {
  await using server = await mailServer({
    onMailFrom: ({ address }, _session, callback) =>
      callback(address.startsWith('desk@') ? refusal(550, '5.1.8 not yours') : undefined),
  });
  using smtp = sender(server.port);
  const desk = { name: 'Desk', address: 'desk@services.example' };
  expect(await smtp.send(messageTo({ recipient: 'person', from: desk }))).toMatchObject({
    refusal: 'ours',
    reason: expect.stringContaining('Check MAIL_FROM_VISITORS (without it, MAIL_FROM)'),
  });
  expect(await smtp.send(messageTo())).toMatchObject({ outcome: 'delivered' });
});

describe('a server that', () => {
  const unreached = {
    outcome: 'failed',
    status: null,
    answer: null,
    reason: 'The mail server could not be reached.',
  };

  test('is down or closes the connection immediately pauses the channel', async () => {
    await using gone = await strangeServer(() => undefined);
    const { port: closedPort } = gone;
    await gone[Symbol.asyncDispose]();
    await using cutting = await strangeServer((socket) => socket.destroy());
    using first = sender(closedPort);
    using second = sender(cutting.port);
    for (const smtp of [first, second])
      expect(await smtp.send(messageTo())).toEqual({ ...unreached, refusal: 'ours', pausesChannel: true });
  });

  test('closes the connection within a message gets that message later', async () => {
    await using cutsData = await mailServer({
      onData: (stream) => {
        stream.resume();
        stream.on('end', () => cutsData.hangUp());
      },
    });
    using smtp = sender(cutsData.port);
    expect(await smtp.send(messageTo())).toEqual({ ...unreached, refusal: 'later' });
  });

  test('does not answer fails at the attempt’s timeout', async () => {
    await using silent = await strangeServer(() => undefined);
    using smtp = sender(silent.port);
    expect(await smtp.send(messageTo(), AbortSignal.timeout(300))).toMatchObject({
      outcome: 'failed',
      refusal: 'ours',
      reason: 'The mail server did not answer in time.',
    });
  });
});

test('an invalid address concerns its recipient', async () => {
  await using server = await mailServer();
  using smtp = sender(server.port);
  expect(await smtp.send(messageTo({ to: { name: '', address: '' } }))).toMatchObject({
    outcome: 'failed',
    refusal: 'recipient',
  });
});
