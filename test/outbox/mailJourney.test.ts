import type { Email } from 'postal-mime';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createEndpoint } from '#server/features/webhooks/endpoints.ts';
import { mail } from '#shared/brand/mail.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { formToken } from '#test/support/formToken.ts';
import { meets } from '#test/support/meets.ts';
import { mailServer, type MailServer } from '#scripts/demo/mailServer.ts';
import { crmEnvironment } from '#test/support/outboxSetup.ts';
import { startReceiver, takes } from '#test/support/receiver.ts';
import { signedIn, getToken } from '#test/support/staff.ts';
import { testActor } from '#test/support/staffActions.ts';
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
  meets('D.people.08 D.people.09 D.deliveries.24 D.deliveries.34');
  await using server = await mailServer();
  await using app = await testApp({
    worker: true,
    env: { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'We <us@brand.example>' },
  });
  const provider = await insertProvider(app.db, { zipCode: '80202', email: 'front@quay.example' });
  const input = leadInput({ zip_code: '80202' });
  const headers = await getToken(app, ['leads:write']);
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
  expect(withdrawal.text).toContain(input.email);
  expect(withdrawal.text).not.toContain(input.phone);
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

test('a stranger’s withdrawal with her name and phone affects none of her leads', async () => {
  await using server = await mailServer();
  await using crm = await startReceiver(takes);
  await using hooks = await startReceiver(takes);
  await using app = await testApp({
    worker: true,
    env: { SMTP_URL: `smtp://127.0.0.1:${server.port}`, TRUSTED_PROXIES: '1', ...crmEnvironment(crm) },
  });
  const { endpoint } = await createEndpoint(
    { services: app.services, actor: testActor, ip: '203.0.113.10' },
    { url: hooks.url, description: '', types: [], payload: 'full' },
  );
  expect(endpoint.payload).toBe('full');
  await insertProvider(app.db, { zipCode: '80202', email: 'front@quay.example' });
  const person = { first_name: 'Wanda', last_name: 'Realname', phone: '(303) 555-0555', zip_code: '80202' };
  const sendFrom = async (ip: string, email: string): Promise<number> => {
    const lead = { ...leadInput(person), email, form: 'landing', token: formToken('landing') };
    return z
      .object({ id: z.number() })
      .parse((await app.post('/api/leads', lead, { 'x-forwarded-for': ip })).json()).id;
  };
  const toClinic = async (): Promise<Email[]> =>
    Promise.all(
      server.received.filter(({ to }) => to.includes('front@quay.example')).map(({ email }) => email),
    );
  const clinicGets = async (count: number): Promise<Email> => {
    await expect.poll(async () => (await toClinic()).length).toBe(count);
    const email = (await toClinic()).at(-1);
    if (email === undefined) throw new Error('the message is gone');
    return email;
  };
  const victim = await sendFrom('198.51.100.1', 'wanda@victim.example');
  await clinicGets(1);
  const stranger = await sendFrom('203.0.113.77', 'zz@attacker2.example');
  const tied = await clinicGets(2);
  expect(tied.text).toContain(mail.providerLead.correction.otherEmail(victim));
  const header = (await messageTo(server, 'zz@attacker2.example')).headers.find(
    ({ key }) => key === 'list-unsubscribe',
  );
  const { pathname, search } = new URL(header?.value.slice(1, -1) ?? '');
  const unfinished = async (): Promise<unknown[]> => [
    ...(await app.sql`select 1 from deliveries where state not in ('delivered', 'cancelled')`),
  ];
  // A withdrawal cancels what isn't recorded as delivered yet.
  await expect.poll(unfinished).toEqual([]);
  expect((await app.request('POST', `${pathname}${search}`)).status).toBe(200);

  const stop = await clinicGets(3);
  const number = mail.providerLead.number;
  for (const said of [stop.text ?? '', (stop.html ?? '').replaceAll(/<[^>]+>/g, ' ')]) {
    expect(said).toContain('zz@attacker2.example');
    expect(said).toContain(mail.withdrawn.ofLead.text(stranger));
    expect(said).toContain(mail.withdrawn.othersStay(number(victim)));
    for (const hers of ['Wanda', 'Realname', '555-0555', '3035550555', 'wanda@'])
      expect(said).not.toContain(hers);
  }
  const later = await sendFrom('198.51.100.1', 'wanda@work.example');
  const fresh = await clinicGets(4);
  expect(fresh.subject).toBe(mail.providerLead.subject('80202'));
  expect(fresh.text).toContain(mail.providerLead.otherStops(number(stranger)));
  expect(fresh.text).toContain(person.phone);
  await expect.poll(unfinished).toEqual([]);
  const delivered = await app.sql`
    select lead_id::int as lead, channel, template from deliveries where state = 'delivered' and lead_id in (${victim}, ${later})
    order by lead_id, channel`;
  const all = ['crm', 'lead-email', 'provider-email'];
  expect([...delivered]).toEqual(
    [victim, later].flatMap((lead) => all.map((channel) => ({ lead, channel, template: 'lead' }))),
  );
  // Neither the CRM nor an integrator hears of a stop of anybody's phone.
  const bodies = [...crm.received, ...hooks.received].map(({ body }) =>
    z.looseObject({ type: z.string(), data: z.looseObject({ id: z.number() }) }).parse(JSON.parse(body)),
  );
  const stops = bodies.filter(({ type }) => !['lead.created', 'lead.updated'].includes(type));
  expect(stops).toEqual([
    {
      type: 'lead.consent_revoked',
      timestamp: expect.any(String),
      data: { id: stranger, uuid: expect.any(String), provider_id: expect.any(Number) },
    },
  ]);
  // Staff decide: now the notice names her, by the newest of the leads.
  const [task] = await app.sql<{ id: number }[]>`select id::int from staff_tasks where lead_id = ${victim}`;
  const decided = await app.post(
    `/api/tasks/${task?.id}/complete`,
    { id: task?.id, decision: 'stop-phone' },
    await signedIn(app, 'manager'),
  );
  expect(decided.status).toBe(200);
  const byStaff = await clinicGets(5);
  for (const said of [mail.withdrawn.ofPerson.text, 'Wanda Realname', person.phone, number(later)])
    expect(byStaff.text).toContain(said);
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
  await app.post('/api/leads', input, await getToken(app, ['leads:write']));
  const { text, messageId } = await messageTo(server, input.email);
  expect(text).toContain(mail.noProvider.lead('99501'));
  const [delivery] = await app.sql<{ id: string }[]>`select id from deliveries where channel = 'lead-email'`;
  expect(messageId).toBe(`<${delivery?.id}@example.com>`);
  await expect
    .poll(async () => [...(await app.sql`select status from delivery_attempts order by id`)])
    .toEqual([{ status: 'SMTP 451' }, { status: 'SMTP 250' }]);
  expect(server.received).toHaveLength(1);
});
