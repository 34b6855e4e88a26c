import { describe, expect, test } from 'vitest';
import { stopAddress } from '#server/features/mail/linkTokens.ts';
import { identityHash } from '#server/features/identity/identityHashes.ts';
import { isSuppressed } from '#server/features/suppression/suppressions.ts';
import { signWebhook } from '#server/features/outbox/httpResult.ts';
import { insertAgreed } from '#test/support/leadRows.ts';
import { getToken } from '#test/support/staff.ts';
import { testIdentityKey } from '#test/support/testKeys.ts';
import { type Answer, testApp, type TestApp } from '#test/support/testApp.ts';

const secret = `whsec_${'A'.repeat(44)}`;
const address = 'stop@reply.example';
const env = { INBOUND_MAIL_ADDRESS: address, INBOUND_MAIL_SECRET: secret };
const path = '/api/mail/inbound';

function post(
  app: TestApp,
  reply: object,
  { by = secret, at = new Date(), sent = reply }: { by?: string; at?: Date; sent?: object } = {},
): Promise<Answer> {
  const filled = { from: 'someone@example.com', subject: 'Re: We received your request', text: 'STOP' };
  const body = JSON.stringify({ ...filled, ...reply });
  const headers = signWebhook({ id: 'msg_1', body, secrets: [by], now: at });
  const changed = sent === reply ? body : JSON.stringify(sent);
  return app.post(path, changed, { ...headers, 'content-type': 'application/json' });
}

const hashIn = (key: Buffer) => (email: string) => identityHash(key, 'email', email);

async function correct(app: TestApp, leadId: number, email: string): Promise<void> {
  const headers = { ...(await getToken(app, ['leads:write'])), 'content-type': 'application/json' };
  await app.request('PATCH', `/api/leads/${leadId}`, { headers, body: JSON.stringify({ email }) });
}

const getAddress = ({ services }: TestApp, { publicId }: { publicId: string }): string =>
  stopAddress(services.config.secretKeys, address, { publicId });

async function changes({ sql }: TestApp): Promise<object> {
  const listed = await sql`select kind, reason, by from suppressions`;
  const withdrawn = await sql`select lead_id::int, how, by, ip from consent_withdrawals`;
  const tasks = await sql`select kind, lead_id::int from staff_tasks where done_at is null`;
  return { listed: [...listed], withdrawn: [...withdrawn], tasks: [...tasks] };
}
const nothing = { listed: [], withdrawn: [], tasks: [] };

describe('STOP with the token of a lead', () => {
  test.each([
    ['its first address, which staff corrected, ends contact with that address only', 'kit@exmaple.com'],
    ['its second address, which staff corrected, ends contact with that address only', 'second@mail.example'],
    ['its present address ends contact with the person, from any sender', 'kit@mail.example'],
  ])('of %s', async (_, sentTo) => {
    await using app = await testApp({ env });
    const lead = await insertAgreed(app.db, { email: 'kit@exmaple.com' });
    for (const email of ['second@mail.example', 'kit@mail.example']) await correct(app, lead.id, email);
    const getHash = hashIn(await testIdentityKey(app.database));
    const bound = sentTo === 'kit@exmaple.com' ? null : getHash(sentTo);
    const { publicId } = lead;
    const to = stopAddress(app.services.config.secretKeys, address, { publicId, sentTo: bound });
    expect((await post(app, { to, from: 'Kit <kit@mail.example>' })).status).toBe(200);
    expect(await app.sql`select value_hmac from suppressions`).toMatchObject([
      { value_hmac: getHash(sentTo) },
    ]);
    expect((await app.sql`select 1 from consent_withdrawals`).length).toBe(
      sentTo === 'kit@mail.example' ? 1 : 0,
    );
    expect(await app.sql`select 1 from staff_tasks`).toHaveLength(0);
  });

  test('bound to an address that the lead never had proves nothing', async () => {
    await using app = await testApp({ env });
    const [lead, other] = [await insertAgreed(app.db), await insertAgreed(app.db)];
    const sentTo = hashIn(await testIdentityKey(app.database))(other.email);
    const { secretKeys } = app.services.config;
    await post(app, { to: stopAddress(secretKeys, address, { publicId: lead.publicId, sentTo }) });
    expect(await changes(app)).toEqual(nothing);
  });

  test('suppresses its email address once, however often it arrives', async () => {
    await using app = await testApp({ env });
    const lead = await insertAgreed(app.db);
    const to = ['us@brand.example', getAddress(app, lead)];
    for (let count = 0; count < 2; count += 1) {
      const answer = await post(app, { to, text: '\n  Stop.\n\n> You can also reply' });
      expect([answer.status, answer.json()]).toEqual([200, { success: true }]);
    }
    expect(await changes(app)).toEqual({
      listed: [{ kind: 'email', reason: 'unsubscribed', by: 'Visitor' }],
      withdrawn: [{ lead_id: lead.id, how: 'reply', by: 'Visitor', ip: null }],
      tasks: [],
    });
    expect(await isSuppressed(app.services, lead)).toBe(true);
  });

  test('works in an address that servers wrote in capital letters', async () => {
    await using app = await testApp({ env });
    const lead = await insertAgreed(app.db);
    await post(app, { to: `Kit <${getAddress(app, lead).toUpperCase()}>` });
    expect(await isSuppressed(app.services, lead)).toBe(true);
  });

  test.each(['unsubscribe me, please', 'QUIT', 'End', 'cancel!', 'STOP emailing me'])(
    'withdraws with “%s”',
    async (text) => {
      await using app = await testApp({ env });
      const lead = await insertAgreed(app.db);
      await post(app, { to: getAddress(app, lead), text });
      expect(await isSuppressed(app.services, lead)).toBe(true);
    },
  );
});

describe('a reply that proves no withdrawal', () => {
  test.each(['Can you call on Friday?', '> STOP', 'End of the week is fine', 'Unstoppable!', ''])(
    'is a task with a token and “%s”',
    async (text) => {
      await using app = await testApp({ env });
      const lead = await insertAgreed(app.db);
      for (let count = 0; count < 2; count += 1) await post(app, { to: getAddress(app, lead), text });
      const tasks = [{ kind: 'reply-received', lead_id: lead.id }];
      expect(await changes(app)).toEqual({ ...nothing, tasks });
    },
  );

  test('is a task for STOP from a lead’s address with a wrong token, as anyone can write', async () => {
    await using app = await testApp({ env });
    const [lead, other] = [await insertAgreed(app.db), await insertAgreed(app.db)];
    const digit = getAddress(app, other).includes('+0') ? '1' : '0';
    const to = getAddress(app, other).replace(/\+./, `+${digit}`);
    await post(app, { to, from: `Somebody <${lead.email.toUpperCase()}>` });
    const tasks = [{ kind: 'reply-received', lead_id: lead.id }];
    expect(await changes(app)).toEqual({ ...nothing, tasks });
  });

  test('reads no leads with a token that we didn’t sign, as anybody can send many', async () => {
    await using app = await testApp({ env });
    const to = `stop+${'0'.repeat(56)}@reply.example`;
    await app.sql.begin(async (tx) => {
      await tx`lock table leads in access exclusive mode`;
      expect((await post(app, { to, text: 'Hello' })).status).toBe(200);
    });
  });

  test('changes nothing without a token if it is no STOP, or from an unknown address', async () => {
    await using app = await testApp({ env });
    const lead = await insertAgreed(app.db);
    await post(app, { to: address, from: lead.email, text: 'Hello' });
    await post(app, { to: address, from: 'stranger@example.com' });
    expect(await changes(app)).toEqual(nothing);
  });
});

test('staff end contact by email with the task of a reply, and by phone they can’t', async () => {
  await using app = await testApp({ env });
  const lead = await insertAgreed(app.db);
  await post(app, { to: getAddress(app, lead), text: 'Please leave me alone' });
  const [task] = await app.sql<{ id: number }[]>`select id::int from staff_tasks`;
  const token = await getToken(app, ['leads:write']);
  const decide = (decision: string) => app.post(`/api/tasks/${task?.id}/complete`, { decision }, token);
  expect((await decide('stop-phone')).status).toBe(422);
  const decided = await decide('stop-email');
  expect([decided.status, decided.json()]).toEqual([200, { id: task?.id, leadIds: [lead.id] }]);
  expect(await changes(app)).toMatchObject({
    listed: [{ kind: 'email', reason: 'do-not-contact' }],
    tasks: [],
  });
});

test('a decision about a reply of a former address stops that address only', async () => {
  await using app = await testApp({ env });
  const lead = await insertAgreed(app.db, { email: 'kit@exmaple.com' });
  for (const email of ['second@mail.example', 'kit@mail.example']) await correct(app, lead.id, email);
  await post(app, { to: getAddress(app, lead), text: 'You have the wrong person.' });
  const [task] = await app.sql<{ id: number }[]>`select id::int from staff_tasks`;
  const token = await getToken(app, ['leads:write']);
  const decided = await app.post(`/api/tasks/${task?.id}/complete`, { decision: 'stop-email' }, token);
  expect(decided.json()).toEqual({ id: task?.id, leadIds: [] });
  const hmac = hashIn(await testIdentityKey(app.database))('kit@exmaple.com');
  expect([...(await app.sql`select value_hmac from suppressions`)]).toEqual([{ value_hmac: hmac }]);
  expect(await changes(app)).toMatchObject({ withdrawn: [], tasks: [] });
});

test('a post without a valid, recent signature is refused and changes nothing', async () => {
  await using app = await testApp({ env });
  const lead = await insertAgreed(app.db);
  const to = getAddress(app, lead);
  const late = new Date(Date.now() - 10 * 60_000);
  const answers = [
    await app.post(path, { to, from: lead.email, text: 'STOP' }),
    await post(app, { to }, { by: `whsec_${'B'.repeat(44)}` }),
    await post(app, { to }, { at: late }),
    await post(app, { to: address }, { sent: { to, from: lead.email, text: 'STOP' } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  expect(await changes(app)).toEqual(nothing);
});

test('a body without recipients is refused; without configuration, the path is unknown', async () => {
  await using app = await testApp({ env });
  expect((await post(app, { text: 'STOP' })).status).toBe(422);
  await using without = await testApp();
  expect((await post(without, { to: address })).status).toBe(404);
});
