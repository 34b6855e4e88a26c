import { describe, expect, test } from 'vitest';
import type { Caller } from '#server/caller.ts';
import { getConsentText } from '#shared/brand/consentTexts.ts';
import { messages } from '#shared/brand/messages.ts';
import type { LeadCreateInput } from '#shared/leads/leads.ts';
import type { FormKey } from '#shared/leads/leadForms.ts';
import { createTokenUses } from '../../submissions/tokenUses.ts';
import { releaseLeads } from '../changes/leadChanges.ts';
import { system } from '../../audit/audit.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { countLeads, type IntakeSetup, setUpIntake } from '#test/support/intakeSetup.ts';
import { meets } from '#test/support/meets.ts';

const windows = { RATE_LIMIT_LEADS: '5/1m,20/1h' };

/** A submission as a person sends it, from the form. */
function honest(at: IntakeSetup, input: Partial<LeadCreateInput> = {}, form: FormKey = 'landing') {
  return leadInput({ form, token: at.token(form), ...input });
}

async function findReason(at: IntakeSetup, input: LeadCreateInput, caller: Partial<Caller> = {}) {
  const { body } = await at.send(input, caller);
  return (await at.lead(body.id))['quarantine_reason'];
}

/** Sends a submission above the limit and returns the error with its policy header. */
async function catchRefusal(at: IntakeSetup, input: LeadCreateInput, caller: Partial<Caller> = {}) {
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
    meets('D.abuse.25');
    await using at = await setUpIntake(windows);
    for (let sent = 0; sent < 5; sent += 1) {
      expect(await findReason(at, leadInput({ form: 'landing', ...junk }), by)).not.toBeNull();
    }
    expect(await findReason(at, honest(at))).toBeNull();
    expect(await findReason(at, leadInput())).toBeNull();
  });

  test('quarantined posts above their own limit are refused like any other', async () => {
    meets('D.abuse.25');
    await using at = await setUpIntake(windows);
    const junk = (): LeadCreateInput => leadInput({ token: 'forged' });
    for (let sent = 0; sent < 5; sent += 1) await at.send(junk());
    const { refusal, policy } = await catchRefusal(at, junk());
    expect(refusal).toMatchObject({
      message: messages.tooMany.submissions,
    });
    expect(policy).toBe('"1m";q=5;w=60, "1h";q=20;w=3600');
    expect(await countLeads(at.database)).toBe(5);
  });

  test('a form post above the limit is stored, gets 201 and is not delivered', async () => {
    meets('D.abuse.26');
    await using at = await setUpIntake(windows);
    const provider = await insertProvider(at.database.db, { zipCode: '80202' });
    for (let sent = 0; sent < 5; sent += 1) expect(await findReason(at, honest(at))).toBeNull();
    const { body, replayed } = await at.send(honest(at));
    expect({ body, replayed }).toEqual({
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
    meets('D.abuse.29');
    await using at = await setUpIntake({ RATE_LIMIT_LEADS: '1/1m' });
    for (let sent = 0; sent < 10; sent += 1) await at.send(honest(at));
    const { policy } = await catchRefusal(at, honest(at));
    expect(policy).toBe('"1m";q=1;w=60');
    const reasons = await at.database.sql`select quarantine_reason as reason from leads order by id`;
    expect(reasons.map(({ reason }) => reason)).toEqual([null, ...Array<string>(9).fill('over-limit')]);
    expect(await findReason(at, honest(at), { ip: '198.51.100.77' })).toBeNull();
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
  const registered = getConsentText('landing')?.text ?? '';
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
      (at) => ({ token: at.services.submissions.formTokens.issue('landing') }),
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
    meets('D.abuse.31 D.abuse.32 D.abuse.33');
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

describe('a genuine token that proves nothing', () => {
  const site = { kind: 'main', host: 'localhost', tenant: null } as const;
  const [here, away] = ['203.0.113.10', '198.51.100.10'];
  const own = { transport: 'trpc', fetchSite: 'same-origin', ip: here } as const;
  const api = { form_key: 'api', text_known: false, form_sha256: null, ms_from_render: null };

  /** A lead with a token that the form's script fetched a while before, and what is stored and sent of it. */
  async function sendFetched(
    at: IntakeSetup,
    { ageMs = 5_000, caller = {}, token }: { ageMs?: number; caller?: Partial<Caller>; token?: string } = {},
  ) {
    const fetched = token ?? at.services.submissions.formTokens.issueFetched('landing', { site, ip: here });
    at.clock.ms += ageMs;
    const { body } = await at.send(leadInput({ form: 'landing', token: fetched }), { ...own, ...caller });
    const rows = await at.database.sql<{ channel: string }[]>`
      select channel from deliveries where lead_id = ${body.id} and state = 'queued' order by channel`;
    return {
      lead: await at.lead(body.id),
      evidence: await at.consent(body.id),
      channels: rows.map(({ channel }) => channel),
    };
  }

  test.each<[string, { ageMs?: number; caller?: Partial<Caller> }]>([
    ['comes from another network', { caller: { ip: away } }],
    ['is older than a day', { ageMs: 86_400_001 }],
    ['is older than a month', { ageMs: 31 * 86_400_000 }],
    ['comes without Origin and Sec-Fetch-Site', { caller: { fetchSite: null, referrerHost: null } }],
    ['comes without Origin from a page of another host', { caller: { referrerHost: 'evil.example' } }],
    ['comes with Sec-Fetch-Site: none', { caller: { fetchSite: 'none' } }],
    ['comes with Sec-Fetch-Site: same-site', { caller: { fetchSite: 'same-site' } }],
  ])('a lead whose token %s is delivered, and the evidence names no form', async (_how, sent) => {
    meets('D.leads.79');
    await using at = await setUpIntake();
    await insertProvider(at.database.db, { zipCode: '80202' });
    const { lead, evidence, channels } = await sendFetched(at, sent);
    expect(lead).toMatchObject({ quarantined_at: null, quarantine_reason: null });
    expect(evidence).toMatchObject(api);
    expect(channels).toEqual(['lead-email', 'provider-email']);
  });

  test('a form that its host doesn’t have is delivered, and the evidence names no form', async () => {
    await using at = await setUpIntake();
    const clinic = await insertProvider(at.database.db, { zipCode: '80202', domain: 'clinic.example' });
    await expect.poll(() => at.services.tenants.hasHost('clinic.example')).toBe(true);
    const tenant = await at.services.tenants.findById(clinic.id);
    if (tenant === null) throw new Error('no tenant');
    const page = { kind: 'tenant', host: 'clinic.example', tenant } as const;
    for (const form of ['find', 'quiz', 'microsite'] as const) {
      const token = at.services.submissions.formTokens.issueFetched(form, { site: page, ip: here });
      at.clock.ms += 5_000;
      const caller = { ...own, site: page, referrerHost: page.host };
      const { body } = await at.send(leadInput({ form, token }), caller);
      expect(await at.lead(body.id)).toMatchObject({ quarantine_reason: null, provider_id: `${clinic.id}` });
      expect(await at.consent(body.id)).toMatchObject(form === 'microsite' ? { form_key: form } : api);
    }
  });

  test('a token of another site is delivered, and the evidence names no form', async () => {
    await using at = await setUpIntake();
    const clinic = await insertProvider(at.database.db, { zipCode: '80202', domain: 'clinic.example' });
    await expect.poll(() => at.services.tenants.hasHost('clinic.example')).toBe(true);
    const tenant = await at.services.tenants.findById(clinic.id);
    if (tenant === null) throw new Error('no tenant');
    const onClinic = { site: { kind: 'tenant', host: 'clinic.example', tenant } } as const;
    const pages = [{ site }, onClinic];
    for (const page of pages) {
      const { formTokens } = at.services.submissions;
      const token = formTokens.issue('microsite', { site: page.site, at: new Date(at.clock.ms) });
      at.clock.ms += 5_000;
      for (const { site: sentOn } of pages) {
        const input = leadInput({ form: 'microsite', token });
        const caller = { ...own, site: sentOn, referrerHost: sentOn.host };
        const { body } = await at.send(input, caller, clinic.id);
        const isOwn = sentOn.tenant?.id === page.site.tenant?.id;
        expect(await at.lead(body.id)).toMatchObject({
          quarantine_reason: null,
          provider_id: `${clinic.id}`,
        });
        expect(await at.consent(body.id)).toMatchObject(isOwn ? { form_key: 'microsite' } : api);
      }
    }
  });

  test('a fetched token is evidence five times; a repeat and a page’s token don’t count', async () => {
    await using at = await setUpIntake();
    await insertProvider(at.database.db, { zipCode: '80202' });
    const token = at.services.submissions.formTokens.issueFetched('landing', { site, ip: here });
    const input = leadInput({ form: 'landing', token });
    at.clock.ms += 5_000;
    for (let sent = 0; sent < 3; sent += 1) await at.send(input, { ...own, idempotencyKey: 'one' });
    const forms: unknown[] = [];
    const { submissions, config } = at.services;
    for (let sent = 1; sent < 7; sent += 1) {
      // Each time another process.
      submissions.tokenUses = createTokenUses({ ...at.services, ...submissions, ...config });
      const { lead, evidence, channels } = await sendFetched(at, { token });
      expect([lead['quarantine_reason'], channels]).toEqual([null, ['lead-email', 'provider-email']]);
      forms.push(evidence['form_key']);
    }
    expect(forms).toEqual(['landing', 'landing', 'landing', 'landing', 'api', 'api']);
    const page = at.services.submissions.formTokens.issue('landing', { site, at: new Date(at.clock.ms) });
    for (let sent = 0; sent < 8; sent += 1) {
      const ip = `198.51.${sent}.1`;
      const { evidence } = await sendFetched(at, { token: page, caller: { ip } });
      expect(evidence).toMatchObject({ form_key: 'landing', form_sha256: 'f'.repeat(64) });
    }
  });

  test('it waits above the limit as a form’s lead does, and its person gets the email', async () => {
    await using at = await setUpIntake({ RATE_LIMIT_LEADS: '1/1m' });
    await insertProvider(at.database.db, { zipCode: '80202' });
    await at.send(honest(at), { ip: away });
    const { lead, channels } = await sendFetched(at, { caller: { ip: away } });
    expect([lead['quarantine_reason'], channels]).toEqual(['over-limit', []]);
    await releaseLeads({ services: at.services, actor: system, ip: null }, [Number(lead['id'])]);
    const rows = await at.database.sql`
      select channel from deliveries where lead_id = ${String(lead['id'])} and state = 'queued' order by channel`;
    expect(rows.map(({ channel }) => channel)).toEqual(['lead-email', 'provider-email']);
  });

  test.each<[string, Partial<Caller>, string | null]>([
    ['another site’s page, from a script', { fetchSite: null }, 'foreign-origin'],
    [
      'another site’s page, with our Origin',
      { fetchSite: null, origin: 'http://localhost' },
      'foreign-origin',
    ],
    ['another page than Origin', { fetchSite: 'same-origin', origin: 'http://localhost' }, 'foreign-origin'],
    [
      'the page of Origin, behind a proxy that rewrites the host',
      { fetchSite: 'same-origin', origin: 'https://evil.example' },
      null,
    ],
  ])('a Referer that names %s is judged', async (_how, caller, reason) => {
    await using at = await setUpIntake();
    const { lead, evidence } = await sendFetched(at, { caller: { ...caller, referrerHost: 'evil.example' } });
    expect(lead['quarantine_reason']).toBe(reason);
    expect(evidence).toMatchObject(reason === null ? { form_key: 'landing' } : api);
  });

  test('a script’s own Referer says nothing of its lead without a token', async () => {
    await using at = await setUpIntake();
    expect(await findReason(at, leadInput(), { referrerHost: 'partner.example' })).toBeNull();
  });

  test('a token of `api`, which 1.0.1 gave to scripts, is none', async () => {
    await using at = await setUpIntake();
    await insertProvider(at.database.db, { zipCode: '80202' });
    for (const ageMs of [5_000, 86_400_001]) {
      const token = at.services.submissions.formTokens.issueFetched('api');
      at.clock.ms += ageMs;
      const { body } = await at.send(leadInput({ token }), own);
      expect(await at.lead(body.id)).toMatchObject({ quarantine_reason: null });
      const rows = await at.database.sql`
        select channel from deliveries where lead_id = ${body.id} and state = 'queued'`;
      expect(rows.map(({ channel }) => channel)).toEqual(['provider-email']);
    }
    expect(await findReason(at, leadInput({ token: 'forged' }), own)).toBe('token-forged');
  });
});
