import { expect, test } from 'vitest';
import { waitUntil } from '#test/support/waitFor.ts';
import { setUpClinicMail } from '#test/support/clinicMail.ts';
import { testActor } from '#test/support/staffActions.ts';
import { resendToProviders, retryLead } from '../leads/changes/leadRetries.ts';
import { requeue } from '../outbox/requeue.ts';
import { tendMarks } from './tendMarks.ts';

test('a retry by staff leaves immediately although the address is marked', async () => {
  await using clinic = await setUpClinicMail();
  const { services } = clinic.mail.at;
  clinic.answers.refusal = [550, '5.1.1 no such user'];
  const { id } = await clinic.lead();
  const other = await clinic.lead();
  await clinic.work();
  const { key: identityKey } = await services.dataKeys.current('identity');
  const retry = () =>
    services.db.transaction((tx) => requeue(tx, [id], { now: services.now(), identityKey }));
  expect(await retry()).toEqual([id]);
  await clinic.work();
  expect(await clinic.state(id)).toBe('held unreachable');
  clinic.answers.refusal = null;
  await retry();
  await clinic.work();
  expect(await clinic.states([id, other.id])).toEqual(['delivered', 'held unreachable']);
  // It was a trial, too.
  await clinic.after(24);
  expect(await clinic.state(other.id)).toBe('delivered');
});

test('a bounced email to a person is sent when staff retry it, under a new Message-ID', async () => {
  await using clinic = await setUpClinicMail();
  const { services } = clinic.mail.at;
  const { id, lead } = await clinic.lead(clinic.provider, { channel: 'lead-email' });
  await clinic.work();
  await clinic.report(id, { recipient: lead.email, reason: '550 5.1.1 no such user' });
  expect(await clinic.state(id)).toBe('failed');
  const { key: identityKey } = await services.dataKeys.current('identity');
  await services.db.transaction((tx) => requeue(tx, [id], { now: services.now(), identityKey }));
  await clinic.work();
  expect(await clinic.state(id)).toBe('delivered');
  expect(await clinic.sent()).toEqual([id, `${id}.1`]);
});

test('staff send an email again that was canceled because it couldn’t be sent', async () => {
  await using clinic = await setUpClinicMail();
  const { services, database } = clinic.mail.at;
  clinic.answers.refusal = [550, '5.1.1 no such user'];
  const [one, other] = [await clinic.lead(), await clinic.lead()];
  await clinic.work();
  await clinic.after(25);
  await database.sql`update staff_tasks set done_at = ${services.now().toISOString()}, done_by = 'Robin'`;
  await clinic.after(72);
  await clinic.after(1);
  expect(await clinic.states([one.id, other.id])).toEqual(['cancelled', 'cancelled']);
  clinic.answers.refusal = null;
  const staff = { services, actor: testActor, ip: null };
  expect(await retryLead(staff, one.lead.id, 'provider')).toEqual({ success: true });
  expect(await resendToProviders(staff, [other.lead.id])).toEqual([other.lead.id]);
  await clinic.work();
  const sent =
    await database.sql`select lead_id::int from deliveries where state = 'delivered' order by lead_id`;
  expect(sent.map((row) => row['lead_id'])).toEqual([one.lead.id, other.lead.id]);
});

test('what staff handled is canceled with leads locked before deliveries', async () => {
  await using clinic = await setUpClinicMail();
  const { services, database } = clinic.mail.at;
  const { sql } = database;
  clinic.answers.refusal = [550, '5.1.1 no such user'];
  const { id, lead } = await clinic.lead();
  await clinic.work();
  await clinic.after(25);
  await clinic.after(48);
  await sql`update staff_tasks set done_at = ${services.now().toISOString()}, done_by = 'Robin'`;
  const holder = await sql.reserve();
  await holder`begin`;
  await holder`select from leads where id = ${lead.id} for update`;
  const tending = tendMarks(services);
  const waiting = async () =>
    (
      await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    ).length;
  await waitUntil(async () => (await waiting()) === 1);
  // Throws if the other transaction has locked it.
  expect(await holder`select state from deliveries where id = ${id} for update nowait`).toHaveLength(1);
  await holder`commit`;
  holder.release();
  await tending;
  expect(await clinic.state(id)).toBe('cancelled');
});
