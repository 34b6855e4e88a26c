import { expect, test } from 'vitest';
import { hourMs } from '#shared/formats/time.ts';
import { clinicAddress, setUpClinicMail } from '#test/support/clinicMail.ts';
import { insertDeliveryAttempts } from '#test/support/leadRows.ts';
import { storeUnreachable } from '../mail/unreachableAddresses.ts';

test('what 1.0.0 failed for a year is held and tried; it is a task only after 72 hours', async () => {
  await using clinic = await setUpClinicMail();
  const { clock, database } = clinic.mail.at;
  const failed = (reason: string, hours: number) => {
    const createdAt = new Date(clock.ms - hours * hourMs);
    return clinic.lead(clinic.provider, { state: 'failed', reason, createdAt, finishedAt: createdAt });
  };
  const listed = 'An earlier email to this address bounced.';
  const old = await failed(listed, 100);
  const bounced = await failed('The email bounced: 552 5.2.2 mailbox full', 60);
  const young = await failed(listed, 10);
  const other = await failed('The provider’s record has no valid email address.', 10);
  await database.sql`update leads set delivery_failed = true`;
  await clinic.work();
  const ids = [old.id, bounced.id, young.id, other.id];
  expect(await clinic.states(ids)).toEqual(['held unreachable', 'delivered', 'delivered', 'failed']);
  expect(await clinic.sent()).toEqual([`${bounced.id}.1`, young.id]);
  expect(await clinic.tasks()).toEqual([
    ['not-reached', old.lead.id],
    ['not-reached', bounced.lead.id],
  ]);
  const flagged = await database.sql`select id::int from leads where delivery_failed`;
  expect([...flagged]).toEqual([{ id: other.lead.id }]);
});

test('what 1.0.0 failed once an address was unknown waits for one that arrives', async () => {
  await using clinic = await setUpClinicMail();
  const ids: string[] = [];
  for (const reason of [
    'The email bounced: 550 5.1.1 no such user',
    'An earlier email to this address bounced.',
  ])
    ids.push(
      (
        await clinic.lead(clinic.provider, {
          state: 'failed',
          reason,
          finishedAt: new Date(clinic.mail.at.clock.ms),
        })
      ).id,
    );
  await clinic.work();
  expect((await clinic.states(ids)).toSorted()).toEqual(['delivered', 'held unreachable']);
  await clinic.after(24);
  expect(await clinic.states(ids)).toEqual(['delivered', 'delivered']);
});

test('what 1.0.0 failed because the address was refused as unknown is held, too', async () => {
  await using clinic = await setUpClinicMail();
  const { services } = clinic.mail.at;
  const reason = 'The mail server refused the message (SMTP 550).';
  const { id, lead } = await clinic.lead(clinic.provider, {
    state: 'failed',
    reason,
    finishedAt: services.now(),
  });
  const attempt = { leadId: lead.id, deliveryId: id, channel: 'provider-email', outcome: 'failed' } as const;
  const refused = {
    ...attempt,
    status: 'SMTP 550',
    answer: '550 5.1.1 no such user',
    refusal: 'recipient',
  } as const;
  await insertDeliveryAttempts(services.db, [refused]);
  clinic.answers.refusal = [550, '5.1.1 no such user'];
  await clinic.work();
  expect(await clinic.state(id)).toBe('held unreachable');
  clinic.answers.refusal = null;
  await clinic.after(1);
  expect(await clinic.state(id)).toBe('delivered');
});

test('a complaint that 1.0.0 listed still holds emails to the provider', async () => {
  await using clinic = await setUpClinicMail();
  const { services } = clinic.mail.at;
  const { key: identityKey } = await services.dataKeys.current('identity');
  const listed = { address: clinicAddress, identityKey, now: services.now() };
  await storeUnreachable(services.db, { ...listed, cause: 'complaint' });
  const { id } = await clinic.lead();
  await clinic.work();
  expect(await clinic.state(id)).toBe('held unreachable');
  await clinic.sendAgain('owner');
  await clinic.work();
  expect(await clinic.state(id)).toBe('delivered');
});

test('a bounce that 1.0.0 listed doesn’t keep an email from being tried', async () => {
  await using clinic = await setUpClinicMail();
  const { services } = clinic.mail.at;
  const { key: identityKey } = await services.dataKeys.current('identity');
  await storeUnreachable(services.db, {
    address: clinicAddress,
    cause: 'bounce',
    identityKey,
    now: services.now(),
  });
  const { id } = await clinic.lead();
  await clinic.work();
  expect(await clinic.state(id)).toBe('delivered');
});

test('what 1.0.0 holds again after a rollback leaves when its address works', async () => {
  await using clinic = await setUpClinicMail();
  const { database } = clinic.mail.at;
  clinic.answers.refusal = [550, '5.1.1 no such user'];
  const old = await clinic.lead();
  await clinic.work();
  await clinic.after(72);
  const young = await clinic.lead();
  await clinic.work();
  const ids = [old.id, young.id];
  expect(await clinic.states(ids)).toEqual(['held unreachable', 'held unreachable']);
  // As by its worker while email isn't configured there.
  await database.sql`update deliveries set state = 'queued', reason = null, next_attempt_at = now()`;
  await database.sql`
    update deliveries set state = 'held', reason = 'Email is not configured (SMTP_URL).', next_attempt_at = null, leased_until = null`;
  clinic.answers.refusal = null;
  await clinic.after(24);
  await clinic.after(24);
  expect(await clinic.states(ids)).toEqual(['held unreachable', 'delivered']);
});

test('what 1.0.0 holds again after a complaint waits for an owner', async () => {
  await using clinic = await setUpClinicMail();
  const { database } = clinic.mail.at;
  const first = await clinic.lead();
  await clinic.work();
  await clinic.report(first.id, { type: 'complaint' });
  const { id } = await clinic.lead();
  await clinic.work();
  await database.sql`
    update deliveries set reason = 'Email is not configured (SMTP_URL).', next_attempt_at = null where id = ${id}`;
  await clinic.after(30);
  expect(await clinic.state(id)).toBe('held unreachable');
  await clinic.sendAgain('owner');
  await clinic.work();
  expect(await clinic.state(id)).toBe('delivered');
});
