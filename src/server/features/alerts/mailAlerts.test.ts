import { expect, test } from 'vitest';
import { alertTitles } from '#shared/admin/alerts.ts';
import { mailServer } from '#scripts/demo/mailServer.ts';
import { setUpMail } from '#test/support/mailSetup.ts';
import { clearAlert, raiseAlert } from './alerts.ts';
import { mailAlerts } from './mailAlerts.ts';

const held = { kind: 'deliveries-held', subject: 'crm' } as const;

test('owners get one email a day with every open alert, and none without a new one', async () => {
  await using given = await setUpMail();
  const { services } = given.at;
  const { db } = services;
  const now = services.now();
  expect(await mailAlerts(services)).toBe(0);
  await db.execute(`insert into staff_accounts (name, email, role, password_hash) values
    ('Ona', 'ona@main.example', 'owner', 'x'), ('Max', 'max@main.example', 'manager', 'x')`);
  await raiseAlert(db, { ...held, message: 'The CRM <refused> 3 leads.', now });
  expect(await mailAlerts(services)).toBe(1);
  const email = await given.arrived();
  expect(email.to?.map(({ address }) => address)).toEqual(['ona@main.example']);
  expect(email.text).toContain(`${alertTitles['deliveries-held']}: The CRM <refused> 3 leads.`);
  expect(email.html).toContain('The CRM &#60;refused&#62; 3 leads.');
  await raiseAlert(db, { kind: 'channel-refused', subject: 'crm', message: 'New.', now });
  expect(await mailAlerts(services)).toBe(0);
  // A day later: the new one, with the one that is still open.
  await db.execute(`alter table audit_log disable trigger all`);
  await db.execute(`update audit_log set at = at - interval '1 day' where action = 'alerts.mail'`);
  expect(await mailAlerts(services)).toBe(1);
  expect((await given.newest()).text).toContain('New.');
  expect((await given.newest()).text).toContain('3 leads');
  await db.execute(`update audit_log set at = at - interval '1 day' where action = 'alerts.mail'`);
  await clearAlert(db, held);
  expect(await mailAlerts(services)).toBe(0);
  expect(given.server.received).toHaveLength(2);
});

test('alerts take their own route, and a refused message is sent at the next run', async () => {
  let isRefusing = true;
  await using other = await mailServer({
    onMailFrom: (_address, _session, callback) =>
      isRefusing ? callback(Object.assign(new Error('not now'), { responseCode: 451 })) : callback(),
  });
  await using given = await setUpMail({ ALERT_SMTP_URL: `smtp://127.0.0.1:${other.port}` });
  const { services } = given.at;
  await raiseAlert(services.db, { ...held, message: 'Held.', now: services.now() });
  expect(await mailAlerts(services)).toBe(0);
  isRefusing = false;
  expect(await mailAlerts(services)).toBe(1);
  expect(other.received).toHaveLength(1);
  expect(other.received[0]?.to).toEqual([services.config.contacts.email]);
  expect(given.server.received).toEqual([]);
});

test('an alert that is raised while the others are sent is in the next email', async () => {
  const given: { raise: () => Promise<void> } = { raise: () => Promise.resolve() };
  const raiseThen = async (next: () => void): Promise<void> => {
    await given.raise();
    next();
  };
  await using setup = await setUpMail(
    {},
    {
      onMailFrom(_address, _session, callback) {
        void raiseThen(callback);
      },
    },
  );
  const { services } = setup.at;
  const { db } = services;
  const now = services.now();
  given.raise = () => raiseAlert(db, { kind: 'channel-refused', subject: 'crm', message: 'New.', now });
  await raiseAlert(db, { ...held, message: 'Held.', now });
  expect(await mailAlerts(services)).toBe(1);
  await db.execute(`alter table audit_log disable trigger all`);
  await db.execute(`update audit_log set at = at - interval '1 day' where action = 'alerts.mail'`);
  expect(await mailAlerts(services)).toBe(1);
  expect((await setup.newest()).text).toContain('New.');
  await db.execute(`update audit_log set at = at - interval '1 day' where action = 'alerts.mail'`);
  expect(await mailAlerts(services)).toBe(0);
});
