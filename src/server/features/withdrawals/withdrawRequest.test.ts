import { expect, test } from 'vitest';
import { testCaller } from '#test/support/caller.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { type IntakeSetup, setUpIntake } from '#test/support/intakeSetup.ts';
import { withdrawRequest } from './withdrawRequest.ts';

const key = 'c0ffee00-1111-4222-8333-444455556666';
const otherKey = 'c0ffee00-1111-4222-8333-444455557777';

/** The deliveries of a lead by template, channel and state. */
async function listDeliveries({ database }: IntakeSetup, leadId: number): Promise<string[]> {
  const rows = await database.sql<{ line: string }[]>`
    select template || ' ' || channel || ' ' || state as line from deliveries where lead_id = ${leadId} order by line`;
  return rows.map(({ line }) => line);
}

const isAbsent = (rows: readonly unknown[]): boolean => rows.length === 0;

test('a browser withdraws the request that it sent, and nothing else of its address', async () => {
  await using at = await setUpIntake();
  const provider = await insertProvider(at.database.db, { zipCode: '80202' });
  const input = leadInput();
  const { body: other } = await at.sendForm(input, { idempotencyKey: otherKey });
  const { body: sent } = await at.sendForm({ ...input, phone: '(303) 555-0177' }, { idempotencyKey: key });
  await at.database
    .sql`update deliveries set state = 'delivered', attempts = 1, next_attempt_at = null, finished_at = now()
      where lead_id in (${sent.id}, ${other.id}) and channel = 'provider-email'`;
  const untouched = await listDeliveries(at, other.id);
  const withdraw = (by = key) => withdrawRequest(at.services, testCaller(), by);
  expect([await withdraw(), await withdraw()]).toEqual([true, true]);
  const left = await listDeliveries(at, sent.id);
  expect(left.filter((line) => line.endsWith('queued'))).toEqual(['withdrawn provider-email queued']);
  expect(left).toContain('lead lead-email cancelled');
  expect(await listDeliveries(at, other.id)).toEqual(untouched);
  expect(untouched).toContain('lead lead-email queued');
  const { sql } = at.database;
  const withdrawals = await sql`select lead_id::int as lead, how, by from consent_withdrawals`;
  expect([...withdrawals]).toEqual([{ lead: sent.id, how: 'page', by: 'Visitor' }]);
  expect(isAbsent(await sql`select 1 from suppressions`)).toBe(true);
  expect(await at.lead(sent.id)).toMatchObject({
    acceptance_consent: false,
    provider_id: String(provider.id),
  });
});

test('after a withdrawal, the same details sent again reach the provider', async () => {
  await using at = await setUpIntake();
  await insertProvider(at.database.db, { zipCode: '80202' });
  const input = leadInput();
  const first = await at.sendForm(input, { idempotencyKey: key });
  await at.database
    .sql`update deliveries set state = 'delivered', attempts = 1, next_attempt_at = null, finished_at = now()
      where lead_id = ${first.body.id} and channel = 'provider-email'`;
  const repeat = await at.sendForm(input, { idempotencyKey: 'second' });
  expect(await listDeliveries(at, repeat.body.id)).toContain('lead provider-email cancelled');
  await withdrawRequest(at.services, testCaller(), key);
  const again = await at.sendForm(input, { idempotencyKey: 'third' });
  expect(await listDeliveries(at, again.body.id)).toContain('lead provider-email queued');
});

test('nobody else can withdraw a request, nor its browser after a day', async () => {
  await using at = await setUpIntake();
  const { body } = await at.sendForm(leadInput(), { idempotencyKey: key });
  const elsewhere = { ...testCaller(), site: { kind: 'unknown' as const, host: 'b.example', tenant: null } };
  expect(await withdrawRequest(at.services, testCaller(), otherKey)).toBe(false);
  expect(await withdrawRequest(at.services, elsewhere, key)).toBe(false);
  at.clock.ms += 24 * 3_600_000;
  expect(await withdrawRequest(at.services, testCaller(), key)).toBe(false);
  expect(await at.lead(body.id)).toMatchObject({ acceptance_consent: true });
  expect(isAbsent(await at.database.sql`select 1 from consent_withdrawals`)).toBe(true);
});

test('a stranger who guesses a script’s key can’t withdraw its lead', async () => {
  await using at = await setUpIntake();
  const uuid = '5f0c3f8e-6f3e-4a66-9d0b-0e3c0f6f2b11';
  const timed = '01941f29-7c00-7aaa-8aaa-aaaaaaaaaaaa';
  const leadIds = [
    // A script that has no API token, with a number and with a key as a browser makes it.
    (await at.send(leadInput(), { idempotencyKey: 'order-4711' })).body.id,
    (await at.send(leadInput(), { idempotencyKey: uuid })).body.id,
    // One that fetches a form's token, too, and one whose copy is set aside as spam.
    (await at.sendForm(leadInput(), { idempotencyKey: 'order-4712' })).body.id,
    (await at.sendForm(leadInput(), { idempotencyKey: timed })).body.id,
    (await at.send(leadInput({ token: 'forged' }), { idempotencyKey: 'order-4713' })).body.id,
  ];
  for (const guessed of ['order-4711', uuid, 'order-4712', timed, 'order-4713'])
    expect([guessed, await withdrawRequest(at.services, testCaller(), guessed)]).toEqual([guessed, false]);
  for (const id of leadIds) expect(await at.lead(id)).toMatchObject({ acceptance_consent: true });
});

test('a browser whose form sent twice withdraws both copies', async () => {
  await using at = await setUpIntake();
  const token = at.services.submissions.formTokens.issue('landing');
  const input = leadInput({ form: 'landing', token });
  at.clock.ms += 1_000;
  // Set aside because the token was too young. Its response was lost, and the browser sent it again.
  const early = await at.send(input, { idempotencyKey: key });
  at.clock.ms += 5_000;
  const good = await at.send(input, { idempotencyKey: key });
  expect(await at.lead(early.body.id)).toMatchObject({ quarantine_reason: 'token-early' });
  expect(good.body.id).not.toBe(early.body.id);
  expect(await withdrawRequest(at.services, testCaller(), key)).toBe(true);
  for (const { body } of [early, good])
    expect(await at.lead(body.id)).toMatchObject({ acceptance_consent: false });
});
