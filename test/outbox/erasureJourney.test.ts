import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { mail } from '#shared/brand/mail.ts';
import { crmEnvironment, webhookSecret } from '#test/support/outboxSetup.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { sendLead } from '#test/support/leadList.ts';
import { mailServer } from '#scripts/demo/mailServer.ts';
import { tracesIn } from '#test/support/erasureSetup.ts';
import { answers, startReceiver } from '#test/support/receiver.ts';
import { signedIn, getToken } from '#test/support/staff.ts';
import { testApp } from '#test/support/testApp.ts';

test('an erasure reaches provider and CRM by lead id, and removes the person here', async () => {
  await using server = await mailServer();
  await using receiver = await startReceiver(answers(201, '{"id":"contact-of-mina"}'));
  await using app = await testApp({
    worker: true,
    env: { SMTP_URL: `smtp://127.0.0.1:${server.port}`, ...crmEnvironment(receiver) },
  });
  await insertProvider(app.db, { zipCode: '80202', email: 'front@quay.example' });
  const input = leadInput({ zip_code: '80202', first_name: 'Wilhelmina', last_name: 'Quarrington' });
  const id = await sendLead(app, input, await getToken(app, ['leads:write']));
  const delivered = async () => {
    const rows = await app.sql<{ template: string }[]>`
      select template from deliveries where state = 'delivered' order by template`;
    return rows.map(({ template }) => template);
  };
  await expect.poll(delivered).toEqual(['lead', 'lead', 'lead']);

  const body = { leadId: id, confirmation: String(id), reason: 'asked' };
  const answer = await app.post('/trpc/admin.personalData.erase', body, await signedIn(app, 'owner'));
  expect(answer.status).toBe(200);
  await expect.poll(delivered).toEqual(['erased', 'erased', 'lead', 'lead', 'lead']);
  const sent = receiver.received.at(-1);
  if (sent === undefined) throw new Error('the CRM heard nothing');
  expect(new Webhook(webhookSecret).verify(sent.body, sent.headers)).toEqual({
    type: 'lead.erased',
    timestamp: expect.any(String),
    data: { id, uuid: expect.any(String), contact_id: 'contact-of-mina' },
  });
  const toProvider = await Promise.all(
    server.received.filter(({ to }) => to.includes('front@quay.example')).map(({ email }) => email),
  );
  expect(toProvider.map(({ subject }) => subject)).toEqual(['New lead from 80202', mail.erased.subject(id)]);
  for (const part of ['Wilhelmina', 'Quarrington', input.email, input.phone])
    expect(toProvider[1]?.text).not.toContain(part);
  const traces = ['Wilhelmina', 'Quarrington', input.email];
  expect(await tracesIn(app.database, traces)).toEqual([]);
});
