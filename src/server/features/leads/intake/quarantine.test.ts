import { describe, expect, test } from 'vitest';
import type { Caller } from '#server/caller.ts';
import { consentTextOf } from '#shared/brand/consentTexts.ts';
import { messages } from '#shared/brand/messages.ts';
import type { FormKey, LeadCreateInput } from '#shared/leads/leads.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { countLeads, type IntakeSetup, setUpIntake } from '#test/support/intakeSetup.ts';

const windows = { RATE_LIMIT_LEADS: '5/1m,20/1h' };

/** A submission as a person sends it, from the form. */
function honest(at: IntakeSetup, input: Partial<LeadCreateInput> = {}, form: FormKey = 'landing') {
  return leadInput({ form, token: at.token(form), ...input });
}

async function reasonOf(at: IntakeSetup, input: LeadCreateInput, caller: Partial<Caller> = {}) {
  const { body } = await at.send(input, caller);
  return (await at.lead(body.id))['quarantine_reason'];
}

/** Sends a submission above the limit and returns the error with its policy header. */
async function refusalOf(at: IntakeSetup, input: LeadCreateInput, caller: Partial<Caller> = {}) {
  const responseHeaders = new Map<string, string>();
  const refusal = await at.send(input, { ...caller, responseHeaders }).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfterSeconds: expect.any(Number) });
  return { refusal, policy: responseHeaders.get('RateLimit-Policy') };
}

describe('rate-limit windows', () => {
  test.each<[string, Partial<LeadCreateInput>, Partial<Caller>]>([
    ['a filled honeypot', { website: 'x' }, {}],
    ['a forged token', { token: 'forged' }, {}],
    ['a plain form without a token', {}, { transport: 'form' }],
    ['a foreign origin', {}, { origin: 'https://evil.example' }],
  ])('five posts with %s use none of the limit of an honest visitor', async (_, junk, by) => {
    await using at = await setUpIntake(windows);
    for (let sent = 0; sent < 5; sent += 1) {
      expect(await reasonOf(at, leadInput({ form: 'landing', ...junk }), by)).not.toBeNull();
    }
    expect(await reasonOf(at, honest(at))).toBeNull();
    expect(await reasonOf(at, leadInput())).toBeNull();
  });

  test('quarantined posts above their own limit are refused like any other', async () => {
    await using at = await setUpIntake(windows);
    const junk = (): LeadCreateInput => leadInput({ token: 'forged' });
    for (let sent = 0; sent < 5; sent += 1) await at.send(junk());
    const { refusal, policy } = await refusalOf(at, junk());
    expect(refusal).toMatchObject({
      message: messages.tooMany.submissions,
    });
    expect(policy).toBe('"1m";q=5;w=60, "1h";q=20;w=3600');
    expect(await countLeads(at.database)).toBe(5);
  });

  test('a form post above the limit is stored, gets 201 and is not delivered', async () => {
    await using at = await setUpIntake(windows);
    const provider = await insertProvider(at.database.db, { zipCode: '80202' });
    for (let sent = 0; sent < 5; sent += 1) expect(await reasonOf(at, honest(at))).toBeNull();
    const { status, body, replayed } = await at.send(honest(at));
    expect({ status, body, replayed }).toEqual({
      status: 201,
      body: { id: body.id, providerId: provider.id },
      replayed: false,
    });
    expect(await at.lead(body.id)).toMatchObject({
      quarantine_reason: 'over-limit',
      quarantined_at: expect.any(String),
    });
    const { sql } = at.database;
    const waiting = await sql<{ lead_id: string; release_at: string }[]>`select * from over_limit_leads`;
    expect(waiting.map((row) => Number(row.lead_id))).toEqual([body.id]);
    const waitMs = Date.parse(waiting[0]?.release_at ?? '') - at.clock.ms;
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(60_000);
    expect(await sql`select 1 from deliveries where lead_id = ${body.id}`).toHaveLength(0);
    expect(await at.consent(body.id)).toMatchObject({ form_key: 'landing', text_known: false });
  });

  test('a form post above ten times the limit is refused and not stored', async () => {
    await using at = await setUpIntake({ RATE_LIMIT_LEADS: '1/1m' });
    for (let sent = 0; sent < 10; sent += 1) await at.send(honest(at));
    const { policy } = await refusalOf(at, honest(at));
    expect(policy).toBe('"1m";q=1;w=60');
    const reasons = await at.database.sql`select quarantine_reason as reason from leads order by id`;
    expect(reasons.map(({ reason }) => reason)).toEqual([null, ...Array<string>(9).fill('over-limit')]);
    expect(await reasonOf(at, honest(at), { ip: '198.51.100.77' })).toBeNull();
  });

  test('a retry of a lead above the limit is the same lead', async () => {
    await using at = await setUpIntake({ RATE_LIMIT_LEADS: '1/1m' });
    await at.send(honest(at));
    const input = honest(at);
    const first = await at.send(input, { idempotencyKey: 'again' });
    expect(await at.lead(first.body.id)).toMatchObject({ quarantine_reason: 'over-limit' });
    const again = await at.send(input, { idempotencyKey: 'again' });
    expect(again).toEqual({ ...first, replayed: true });
    expect(await countLeads(at.database)).toBe(2);
  });

  test('a lead after one that waits above the limit is a repeat', async () => {
    await using at = await setUpIntake({ RATE_LIMIT_LEADS: '1/1m' });
    await at.send(honest(at));
    const first = await at.send(honest(at, { email: 'same@example.com' }));
    const next = await at.send(honest(at, { email: 'same@example.com' }));
    expect(await at.lead(next.body.id)).toMatchObject({ duplicate_of: String(first.body.id) });
  });
});

describe('evidence', () => {
  const registered = consentTextOf('landing')?.text ?? '';
  const unknown = {
    form_key: 'api',
    text_id: null,
    text_version: null,
    text_known: false,
    channels: [],
    form_sha256: null,
    ms_from_render: null,
    seller_provider_id: null,
  };

  const expiredToken = (at: IntakeSetup): Partial<LeadCreateInput> => {
    const token = at.token('landing');
    at.clock.ms += 86_400_001;
    return { token };
  };

  test.each<[string, (at: IntakeSetup) => Partial<LeadCreateInput>, Partial<Caller>, string]>([
    ['a script that names a form', () => ({}), {}, registered],
    ['a script without a consent text', () => ({ acceptance_message: undefined }), {}, ''],
    ['a plain form without a token', () => ({}), { transport: 'form' }, registered],
    ['a forged token', () => ({ token: 'forged' }), { transport: 'trpc' }, registered],
    ['another form’s token', (at) => ({ token: at.token('quiz') }), { transport: 'trpc' }, registered],
    [
      'a token that is too young',
      (at) => ({ token: at.services.formTokens.issue('landing') }),
      { transport: 'trpc' },
      registered,
    ],
    ['an expired token', expiredToken, { transport: 'trpc' }, registered],
    [
      'another site’s page with a good token',
      (at) => ({ token: at.token('landing') }),
      { transport: 'form', fetchSite: 'cross-site', origin: 'https://evil.example' },
      registered,
    ],
  ])('from %s, the consent text is unknown and no form is recorded', async (_, prepare, caller, shown) => {
    await using at = await setUpIntake();
    const input = leadInput({ form: 'landing', acceptance_message: registered, ...prepare(at) });
    const { body } = await at.send(input, caller);
    expect(await at.consent(body.id)).toMatchObject({ ...unknown, text_shown: shown, checked: true });
    expect(await at.database.sql`select 1 from consent_form_snapshots`).toHaveLength(0);
  });

  test('only a form’s own token proves its consent text; a script’s token does not', async () => {
    await using at = await setUpIntake();
    const { body } = await at.send(honest(at, { acceptance_message: registered }));
    expect(await at.consent(body.id)).toMatchObject({
      form_key: 'landing',
      text_known: true,
      form_sha256: 'f'.repeat(64),
      ms_from_render: 5_000,
    });
    const script = await at.send(honest(at, { acceptance_message: registered }, 'api'));
    expect(await at.consent(script.body.id)).toMatchObject({ form_key: 'api', text_known: false });
  });
});

describe('idempotency', () => {
  test('a valid retry with the key of a quarantined submission is delivered', async () => {
    await using at = await setUpIntake();
    await insertProvider(at.database.db, { zipCode: '80202' });
    const input = honest(at);
    const junk = await at.send({ ...input, website: 'x' }, { idempotencyKey: 'order-2' });
    const good = await at.send(input, { idempotencyKey: 'order-2' });
    expect(good.replayed).toBe(false);
    expect(good.body.id).not.toBe(junk.body.id);
    expect(await at.lead(good.body.id)).toMatchObject({ quarantine_reason: null });
    const { sql } = at.database;
    expect(await sql`select 1 from deliveries where lead_id = ${good.body.id}`).not.toHaveLength(0);
    expect((await at.send(input, { idempotencyKey: 'order-2' })).body).toEqual(good.body);
    const junkAgain = await at.send({ ...input, website: 'x' }, { idempotencyKey: 'order-2' });
    expect(junkAgain.body).toEqual(junk.body);
  });
});
