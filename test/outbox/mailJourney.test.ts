import type { Email } from 'postal-mime';
import { expect, test } from 'vitest';
import { mail } from '#shared/brand/mail.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { mailServer, type MailServer } from '#test/support/mailServer.ts';
import { tokenOf } from '#test/support/staff.ts';
import { testApp } from '#test/support/testApp.ts';

/** Retries start seconds after a failure. */
/** Waits for a message to an address and returns the newest one. */
async function messageTo({ received }: MailServer, address: string, subject?: string): Promise<Email> {
  const find = async (): Promise<Email | undefined> => {
    const emails = await Promise.all(
      received.filter(({ to }) => to.includes(address)).map(({ email }) => email),
    );
    return emails.findLast((email) => subject === undefined || email.subject === subject);
  };
  await expect.poll(find).toBeDefined();
  const found = await find();
  if (found === undefined) throw new Error('the message is gone again');
  return found;
}

test('lead and provider get emails; one click withdraws and informs the provider', async () => {
  await using server = await mailServer();
  await using app = await testApp({
    worker: true,
    env: { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'We <us@brand.example>' },
  });
  const provider = await insertProvider(app.db, { zipCode: '80202', email: 'front@quay.example' });
  const input = leadInput({ zip_code: '80202' });
  const headers = await tokenOf(app, ['leads:write']);
  const { id } = (await app.post('/api/leads', input, headers)).json() as { id: number };
  const toLead = await messageTo(server, input.email);
  const toProvider = await messageTo(server, 'front@quay.example');
  expect(toLead.text).toContain(provider.practiceName);
  expect(toProvider.text).toContain(input.phone);
  await expect
    .poll(async () => [
      ...(await app.sql`select channel, outcome, status from delivery_attempts order by channel`),
    ])
    .toEqual([
      { channel: 'lead-email', outcome: 'delivered', status: 'SMTP 250' },
      { channel: 'provider-email', outcome: 'delivered', status: 'SMTP 250' },
    ]);
  const header = toLead.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
  const oneClick = new URL(header.slice(1, -1));
  const answer = await app.request('POST', `${oneClick.pathname}${oneClick.search}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect(answer.status).toBe(200);
  const withdrawal = await messageTo(server, 'front@quay.example', mail.withdrawn.subject);
  expect(withdrawal.text).toContain(input.phone);
  // A new lead of the same person is stored, and nothing is sent.
  const again = (await app.post('/api/leads', { ...leadInput(), email: input.email }, headers)).json() as {
    id: number;
  };
  expect(again.id).toBeGreaterThan(id);
  await expect
    .poll(async () => [
      ...(await app.sql`
          select channel, state, reason like '%must not be contacted%' as forbidden from deliveries where lead_id = ${again.id} and channel <> 'crm' order by channel`),
    ])
    .toEqual([
      { channel: 'lead-email', state: 'cancelled', forbidden: true },
      { channel: 'provider-email', state: 'cancelled', forbidden: true },
    ]);
  expect(server.received).toHaveLength(3);
});

test('a lead without a provider gets an email, also after a mail server outage', async () => {
  let attempts = 0;
  await using server = await mailServer({
    onMailFrom(_address, _session, callback) {
      attempts += 1;
      callback(attempts === 1 ? Object.assign(new Error('come back'), { responseCode: 451 }) : undefined);
    },
  });
  await using app = await testApp({ worker: true, env: { SMTP_URL: `smtp://127.0.0.1:${server.port}` } });
  const input = leadInput({ zip_code: '99501' });
  await app.post('/api/leads', input, await tokenOf(app, ['leads:write']));
  const { text, messageId } = await messageTo(server, input.email);
  expect(text).toContain(mail.noProvider.lead('99501'));
  const [delivery] = await app.sql<{ id: string }[]>`select id from deliveries where channel = 'lead-email'`;
  expect(messageId).toBe(`<${delivery?.id}@example.com>`);
  await expect
    .poll(async () => [...(await app.sql`select status from delivery_attempts order by id`)])
    .toEqual([{ status: 'SMTP 451' }, { status: 'SMTP 250' }]);
  expect(server.received).toHaveLength(1);
});
