import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { hourMs } from '#shared/formats/time.ts';
import { deliveries, leads, providers, unreachableProviders } from '#server/db/schema/index.ts';
import { clinicAddress, setUpClinicMail } from '#test/support/clinicMail.ts';
import { insertProvider } from '#test/support/factories.ts';
import { moveDeliveries } from '../outbox/cancelDeliveries.ts';

const unknownUser: [number, string] = [550, '5.1.1 no such user Front@quay.example'];

test.each(['5.1.1', '5.1.10', '5.2.1'])(
  'a refusal with %s holds the email, and later ones to the address are not tried',
  async (code) => {
    await using clinic = await setUpClinicMail();
    clinic.answers.refusal = [550, `${code} unavailable`];
    const first = await clinic.lead();
    await clinic.work();
    clinic.answers.refusal = null;
    const second = await clinic.lead();
    await clinic.work();
    expect(await clinic.states([first.id, second.id])).toEqual(['held unreachable', 'held unreachable']);
    expect(await clinic.sent()).toEqual([]);
    const flags = await clinic.mail.at.database.sql`select delivery_failed, clinic_not_reached from leads`;
    const notReached = { delivery_failed: false, clinic_not_reached: true };
    expect([...flags]).toEqual([notReached, notReached]);
  },
);

test('a held email is tried after one hour, after six, then daily', async () => {
  await using clinic = await setUpClinicMail();
  clinic.answers.refusal = unknownUser;
  const { id } = await clinic.lead();
  await clinic.work();
  const attempts = async () => {
    const [row] = await clinic.mail.at.database.db.select().from(deliveries).where(eq(deliveries.id, id));
    return row?.attempts;
  };
  const made: unknown[] = [];
  for (let hour = 1; hour <= 55; hour += 1) {
    const before = await attempts();
    await clinic.after(1);
    if ((await attempts()) !== before) made.push(hour);
  }
  expect(made).toEqual([1, 6, 30, 54]);
});

test('after an accepted one, new leads leave one an hour, and the others after a day', async () => {
  await using clinic = await setUpClinicMail();
  clinic.answers.refusal = unknownUser;
  const waiting = [await clinic.lead(), await clinic.lead()].map(({ id }) => id);
  await clinic.work();
  clinic.answers.refusal = null;
  await clinic.after(1);
  expect(await clinic.states(waiting)).toEqual(['delivered', 'held unreachable']);
  const fresh = [(await clinic.lead()).id, (await clinic.lead()).id, (await clinic.lead()).id];
  await clinic.work();
  expect(await clinic.states(fresh)).toEqual(['delivered', 'held unreachable', 'held unreachable']);
  await clinic.after(0.9);
  expect(await clinic.states(fresh)).toEqual(['delivered', 'held unreachable', 'held unreachable']);
  await clinic.after(0.2);
  expect(await clinic.states(fresh)).toEqual(['delivered', 'delivered', 'held unreachable']);
  await clinic.after(1.1);
  expect(await clinic.states(fresh)).toEqual(['delivered', 'delivered', 'delivered']);
  expect(await clinic.state(waiting[1] ?? '')).toBe('held unreachable');
  await clinic.after(22);
  expect(await clinic.states(waiting)).toEqual(['delivered', 'delivered']);
  expect(await clinic.alerts()).toEqual([]);
});

test('when a mark ends, ten of the others leave at a time', async () => {
  await using clinic = await setUpClinicMail();
  const { db } = clinic.mail.at.database;
  clinic.answers.refusal = unknownUser;
  const ids: string[] = [];
  for (let count = 0; count < 24; count += 1) ids.push((await clinic.lead()).id);
  await clinic.work();
  clinic.answers.refusal = null;
  await db.update(providers).set({ email: 'new@quay.example' }).where(eq(providers.id, clinic.provider.id));
  const delivered = async () => (await clinic.states(ids)).filter((state) => state === 'delivered').length;
  const counts: number[] = [];
  for (let minute = 0; minute < 3; minute += 1) {
    await clinic.after(1 / 60);
    counts.push(await delivered());
  }
  expect(counts).toEqual([10, 20, 24]);
});

test('a trial that bounces is held again, by a new Message-ID; its schedule continues', async () => {
  await using clinic = await setUpClinicMail();
  const { id } = await clinic.lead();
  await clinic.work();
  await clinic.report(id, { reason: '550 5.1.1 no such user' });
  expect(await clinic.state(id)).toBe('held unreachable');
  await clinic.after(1);
  expect(await clinic.state(id)).toBe('delivered');
  await clinic.report(id, { reason: 'the first report, repeated: 5.1.1' });
  expect(await clinic.state(id)).toBe('delivered');
  await clinic.report(`${id}.1`, { reason: '550 5.1.1 no such user' });
  expect(await clinic.state(id)).toBe('held unreachable');
  await clinic.after(4);
  expect(await clinic.sent()).toEqual([id, `${id}.1`]);
  await clinic.after(1.1);
  expect(await clinic.sent()).toEqual([id, `${id}.1`, `${id}.2`]);
  // A day without a bounce ends the mark.
  await clinic.after(24);
  await clinic.lead();
  const next = await clinic.lead();
  await clinic.work();
  expect(await clinic.state(next.id)).toBe('delivered');
});

test('a held lead is a task after 24 hours, once, and isn’t sent by itself after 72', async () => {
  await using clinic = await setUpClinicMail();
  const { sql } = clinic.mail.at.database;
  clinic.answers.refusal = unknownUser;
  const { id, lead } = await clinic.lead();
  await clinic.work();
  await clinic.after(23.9);
  expect(await clinic.tasks()).toEqual([]);
  await clinic.after(0.2);
  expect(await clinic.tasks()).toEqual([['not-reached', lead.id]]);
  await clinic.after(48);
  clinic.answers.refusal = null;
  await clinic.after(24);
  await clinic.after(24);
  expect(await clinic.state(id)).toBe('held unreachable');
  expect(await clinic.sent()).toEqual([]);
  // A new lead tries the address.
  const fresh = await clinic.lead();
  await clinic.work();
  expect(await clinic.state(fresh.id)).toBe('delivered');
  await clinic.after(25);
  expect([await clinic.state(id), (await clinic.tasks()).length]).toEqual(['held unreachable', 1]);
  expect(await clinic.sendAgain()).toEqual({ id: clinic.provider.id, emails: 1 });
  await clinic.work();
  expect(await clinic.state(id)).toBe('delivered');
  const audited = await sql`select subject_id, detail from audit_log where action = 'provider.send-again'`;
  expect([...audited]).toEqual([{ subject_id: String(clinic.provider.id), detail: { emails: 1 } }]);
});

test('a task that staff completed isn’t opened again, and ends what wasn’t sent yet', async () => {
  await using clinic = await setUpClinicMail();
  clinic.answers.refusal = unknownUser;
  const { id } = await clinic.lead();
  await clinic.work();
  await clinic.after(25);
  await clinic.mail.at.database
    .sql`update staff_tasks set done_at = ${clinic.mail.at.services.now().toISOString()}, done_by = 'Robin'`;
  await clinic.after(30);
  expect(await clinic.tasks()).toHaveLength(1);
  expect(await clinic.state(id)).toBe('held unreachable');
  await clinic.after(30);
  await clinic.after(1);
  expect([await clinic.state(id), await clinic.tasks()]).toEqual(['cancelled', [expect.anything()]]);
});

test('providers with one address share its mark; a change of one frees that one only', async () => {
  await using clinic = await setUpClinicMail();
  const { db } = clinic.mail.at.database;
  const other = await insertProvider(db, { email: ` ${clinicAddress.toLowerCase()}`, zipCode: '80202' });
  clinic.answers.refusal = unknownUser;
  const own = await clinic.lead();
  await clinic.work();
  const theirs = await clinic.lead(other);
  await clinic.work();
  expect(await clinic.states([own.id, theirs.id])).toEqual(['held unreachable', 'held unreachable']);
  expect((await clinic.alerts()).map(({ subject }) => Number(subject))).toEqual([
    clinic.provider.id,
    other.id,
  ]);
  await db.update(providers).set({ email: 'other@quay.example' }).where(eq(providers.id, other.id));
  await clinic.work();
  expect(await clinic.states([own.id, theirs.id])).toEqual(['held unreachable', 'delivered']);
  expect((await clinic.alerts()).map(({ subject }) => Number(subject))).toEqual([clinic.provider.id]);
});

test('a complaint opens the task immediately, and only an owner lifts it', async () => {
  await using clinic = await setUpClinicMail();
  const first = await clinic.lead();
  await clinic.work();
  await clinic.report(first.id, { type: 'complaint' });
  const second = await clinic.lead();
  await clinic.work();
  expect(await clinic.states([first.id, second.id])).toEqual(['delivered', 'held unreachable']);
  expect(await clinic.tasks()).toEqual([
    ['not-reached', first.lead.id],
    ['not-reached', second.lead.id],
  ]);
  await clinic.after(48);
  expect(await clinic.state(second.id)).toBe('held unreachable');
  await expect(clinic.sendAgain()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await clinic.sendAgain('owner');
  await clinic.work();
  expect(await clinic.state(second.id)).toBe('delivered');
});

test('a change of the address ends a complaint, too', async () => {
  await using clinic = await setUpClinicMail();
  const { db } = clinic.mail.at.database;
  const first = await clinic.lead();
  await clinic.work();
  await clinic.report(first.id, { type: 'complaint' });
  const second = await clinic.lead();
  await clinic.work();
  await db.update(providers).set({ email: 'new@quay.example' }).where(eq(providers.id, clinic.provider.id));
  await clinic.after(1);
  expect(await clinic.state(second.id)).toBe('delivered');
});

test('the alert names the provider and how many wait, without contact details', async () => {
  await using clinic = await setUpClinicMail();
  clinic.answers.refusal = unknownUser;
  await clinic.lead();
  await clinic.work();
  const [alert] = await clinic.alerts();
  expect(alert?.message).toContain(clinic.provider.practiceName ?? clinic.provider.name);
  expect(alert?.message).toContain('1 lead waits');
  expect(alert?.message).not.toMatch(/@|quay.example|front/i);
  await clinic.lead();
  await clinic.work();
  await clinic.after(0.1);
  expect((await clinic.alerts())[0]?.message).toContain('2 leads wait');
});

test.each([
  ['5.2.2', '552 5.2.2 mailbox full', 'queued'],
  ['5.7.1', '554 5.7.1 rejected as spam', 'queued'],
  ['4.2.2', '452 4.2.2 mailbox full, try again later', 'delivered'],
  ['no code', 'it bounced', 'delivered'],
  ['5.6.0', '554 5.6.0 content rejected', 'failed'],
  ['5.1.1', '550 5.1.1 no such user', 'held unreachable'],
])(
  'a bounce with %s without permanent marks only an address that is unreachable',
  async (_, reason, expected) => {
    await using clinic = await setUpClinicMail();
    const first = await clinic.lead();
    await clinic.work();
    await clinic.report(first.id, { reason });
    expect(await clinic.state(first.id)).toBe(expected);
    const second = await clinic.lead();
    await clinic.work();
    expect(await clinic.state(second.id)).toBe(expected.startsWith('held') ? expected : 'delivered');
    expect(await clinic.tasks()).toEqual(expected === 'failed' ? [['message-refused', first.lead.id]] : []);
  },
);

test('workers that attempt at the same time send one lead an hour', async () => {
  await using clinic = await setUpClinicMail();
  clinic.answers.refusal = unknownUser;
  await clinic.lead();
  await clinic.work();
  clinic.answers.refusal = null;
  await clinic.after(1);
  const ids: string[] = [];
  for (let count = 0; count < 6; count += 1) ids.push((await clinic.lead()).id);
  await Promise.all([clinic.work(), clinic.work(), clinic.work()]);
  expect((await clinic.states(ids)).filter((state) => state === 'delivered')).toHaveLength(1);
  clinic.mail.at.clock.ms += hourMs;
  await Promise.all([clinic.work(), clinic.work(), clinic.work()]);
  // Each skips what another one tends, so all of them may skip the address. The next minute's round doesn't.
  await clinic.work();
  expect((await clinic.states(ids)).filter((state) => state === 'delivered')).toHaveLength(2);
});

test('a lead that moves to another provider isn’t sent to the unreachable one', async () => {
  await using clinic = await setUpClinicMail();
  const { db } = clinic.mail.at.database;
  const other = await insertProvider(db, { email: 'other@quay.example', zipCode: '80202' });
  clinic.answers.refusal = unknownUser;
  const held = await clinic.lead();
  const bounced = await clinic.lead(clinic.provider, {
    state: 'delivered',
    finishedAt: clinic.mail.at.services.now(),
  });
  await clinic.work();
  await db.transaction((tx) =>
    moveDeliveries(tx, [held.lead.id, bounced.lead.id], {
      providerId: other.id,
      now: clinic.mail.at.services.now(),
    }),
  );
  await db.update(leads).set({ providerId: other.id });
  await clinic.report(bounced.id, { reason: '550 5.1.1 no such user' });
  expect(await clinic.states([held.id, bounced.id])).toEqual(['cancelled', 'failed']);
  await clinic.after(25);
  expect(await clinic.tasks()).toEqual([]);
});

test('addresses refused together, none accepted, are not marked: the fault is ours', async () => {
  await using clinic = await setUpClinicMail((address) => !address.endsWith('.example.org'));
  const { db } = clinic.mail.at.database;
  const ids: string[] = [];
  for (const name of ['a.one', 'b.one', 'c.two', 'd.two', 'e.three']) {
    const email = `${name.replace('.', '@')}.example.org`;
    ids.push((await clinic.lead(await insertProvider(db, { email, zipCode: '80202' }))).id);
    await clinic.work();
  }
  await clinic.after(1 / 60);
  expect(await db.$count(unreachableProviders)).toBe(0);
  expect(await clinic.alerts()).toEqual([]);
  expect(new Set(await clinic.states(ids))).toEqual(new Set(['queued']));
});
