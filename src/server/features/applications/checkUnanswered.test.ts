import { expect, test } from 'vitest';
import { applicationAnswerHours } from '#shared/brand/application.ts';
import { alertTitles } from '#shared/admin/alerts.ts';
import { adminApplicationListInput } from '#shared/applications/adminApplications.ts';
import { hourMs } from '#shared/formats/time.ts';
import { prepareDatabase } from '#server/startup/prepareDatabase.ts';
import { createMail } from '../mail/mailer.ts';
import { listAlerts } from '../alerts/alerts.ts';
import { mailAlerts } from '../alerts/mailAlerts.ts';
import { applicationInput } from '#test/support/applicationInput.ts';
import { formToken } from '#test/support/formToken.ts';
import { mailServer } from '#scripts/demo/mailServer.ts';
import { releasedDatabase } from '#test/support/releasedDatabase.ts';
import { insertAccount, signedIn } from '#test/support/staff.ts';
import { type TestApp, testApp } from '#test/support/testApp.ts';
import { listApplications } from './adminApplicationsQueries.ts';
import { checkUnanswered } from './checkUnanswered.ts';
import { mailNotices, mailReceipts } from './applicationMail.ts';

const half = applicationAnswerHours / 2;

async function apply(app: TestApp, overrides: object = {}): Promise<number> {
  const body = { ...applicationInput({ token: formToken('application') }), ...overrides };
  const answer = await app.post('/api/provider-applications', body);
  expect(answer.status).toBe(201);
  return Number(Reflect.get(Object(answer.json()), 'id'));
}

/** Moves the arrival of an application to hours ago. */
const arrived = ({ sql }: TestApp, id: number, hours: number) =>
  sql`update provider_applications set created_at = now() - ${hours} * interval '1 hour' where id = ${id}`;

test('an alert is open while an application waits for half of the promised time', async () => {
  await using server = await mailServer();
  await using app = await testApp({ env: { SMTP_URL: `smtp://127.0.0.1:${server.port}` } });
  const { services } = app;
  const check = async (): Promise<string[]> => {
    await checkUnanswered(services);
    const { alerts } = await listAlerts(app.db);
    expect(alerts.every(({ kind }) => kind === 'applications-unanswered')).toBe(true);
    return alerts.map(({ message }) => message);
  };
  const [first, second] = [await apply(app), await apply(app)];
  const quarantined = await apply(app, { homepage: 'x' });
  expect(await check()).toEqual([]);
  await arrived(app, quarantined, half * 5);
  await arrived(app, first, half - 1);
  expect(await check()).toEqual([]);
  await arrived(app, first, half + 1);
  const [one] = await check();
  expect(one).toContain(`Application #${first} has been unanswered for more than ${half} hours.`);
  await arrived(app, second, half + 2);
  await app.sql`update provider_applications set quarantined_at = now(), quarantine_reason = 'over-limit' where id = ${second}`;
  const [two] = await check();
  expect(two).toContain(
    `2 applications have been unanswered for more than ${half} hours. The oldest, #${second},`,
  );
  expect(two).not.toMatch(/@|80202/);

  const { email: owner } = await insertAccount(app, 'owner');
  expect(await mailAlerts(services)).toBe(1);
  expect(server.received[0]?.to).toEqual([owner]);
  expect((await server.received[0]?.email)?.text).toContain(alertTitles['applications-unanswered']);

  const staff = await signedIn(app, 'manager');
  const answer = (id: number, status: string) =>
    app.post('/trpc/admin.applications.setStatus', { id, status }, staff);
  expect((await answer(first, 'contacted')).status).toBe(200);
  expect(await check()).toHaveLength(1);
  expect((await answer(second, 'declined')).status).toBe(200);
  expect(await check()).toEqual([]);
});

test('staff see until when to answer, and what became of the receipt', async () => {
  await using app = await testApp();
  const withReceipt = await apply(app);
  const scripts = await apply(app, { token: undefined });
  const quarantined = await apply(app, { homepage: 'x' });
  const answered = await apply(app);
  const staff = await signedIn(app, 'manager');
  await app.post('/trpc/admin.applications.setStatus', { id: answered, status: 'accepted' }, staff);
  await mailReceipts(app.services);
  const list = async () => {
    const { applications } = await listApplications(app.services, adminApplicationListInput.parse({}));
    return new Map(applications.map((application) => [application.id, application]));
  };
  const byId = await list();
  const due = (id: number) => {
    const { dueAt, created_at } = byId.get(id) ?? { dueAt: null, created_at: '' };
    return dueAt === null ? null : (Date.parse(dueAt) - Date.parse(created_at)) / hourMs;
  };
  expect([withReceipt, scripts, quarantined, answered].map(due)).toEqual([
    applicationAnswerHours,
    applicationAnswerHours,
    null,
    null,
  ]);
  expect(byId.get(withReceipt)?.receipt).toEqual({ state: 'sent', reason: null });
  expect(byId.get(scripts)?.receipt).toMatchObject({
    state: 'withheld',
    reason: expect.stringContaining('token'),
  });
  expect(byId.get(quarantined)?.receipt).toBeNull();
  expect(byId.get(answered)?.receipt).toMatchObject({ state: 'withheld' });
});

test('in production without SMTP, messages wait with the reason and end after two days', async () => {
  await using app = await testApp();
  const { config, now } = app.services;
  const services = { ...app.services, mail: createMail({ ...config, production: true }, now) };
  await apply(app);
  expect([await mailReceipts(services), await mailNotices(services)]).toEqual([0, false]);
  const receipt = async () => {
    const { applications } = await listApplications(services, adminApplicationListInput.parse({}));
    return applications[0]?.receipt;
  };
  expect(await receipt()).toEqual({ state: 'waiting', reason: expect.stringContaining('SMTP_URL') });
  await app.sql`update application_messages set created_at = created_at - interval '49 hours'`;
  await mailReceipts(services);
  expect(await receipt()).toMatchObject({ state: 'refused' });
});

test('applications of 1.0.0 are listed and counted, and cause no message', async () => {
  await using database = await releasedDatabase({ isUpgraded: false });
  const { db, sql } = database;
  /** As 1.0.0 writes it, before an upgrade and during one. */
  const insert = (name: string, hours: number) => sql`
    insert into provider_applications (practice_name, contact_name, role, email, phone, phone_e164, zip_code, consent_text,
      host, idempotency_key, status, created_at)
    values (${name}, 'Kit', 'Owner', 'kit@clinic.example', '303 555 0100', '+13035550100', '80202', '', 'localhost', ${name},
      'new', now() - ${hours} * interval '1 hour')`;
  const old = half * 3;
  await insert('Before', old);
  await prepareDatabase({ url: database.url, ownerUrl: null });
  await insert('During', 0);
  await using app = await testApp({ database });
  const { services } = app;
  const { applications } = await listApplications(
    services,
    adminApplicationListInput.parse({ status: 'new' }),
  );
  expect(applications.map(({ practice_name: name, receipt }) => [name, receipt])).toEqual([
    ['During', null],
    ['Before', null],
  ]);
  expect(applications.every(({ dueAt }) => dueAt !== null)).toBe(true);
  expect([await mailReceipts(services), await mailNotices(services)]).toEqual([0, false]);
  await checkUnanswered(services);
  const open = (await listAlerts(db)).alerts.filter(({ kind }) => kind === 'applications-unanswered');
  expect(open.map(({ message }) => message.split(' has ')[0])).toEqual([
    `Application #${applications[1]?.id}`,
  ]);
});
