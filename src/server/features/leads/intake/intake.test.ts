import { describe, expect, test, vi } from 'vitest';
import { writeWithTimeout } from '#server/db/withTimeout.ts';
import type { Caller } from '#server/caller.ts';
import { getConsentText } from '#shared/brand/consentTexts.ts';
import type { LeadCreateInput } from '#shared/leads/leads.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { countLeads, type IntakeSetup, setUpIntake } from '#test/support/intakeSetup.ts';
import { meets } from '#test/support/meets.ts';
import { toPageProvider } from '#server/db/providerFields.ts';
import { toRecord, toTenantView } from '#server/tenant/providerRecord.ts';

describe('intake', () => {
  test('stores the lead normalized and as typed, with its evidence and attribution', async () => {
    meets(`
      P3.lead.06 P3.lead.10 P3.lead.12 P3.lead.16 P4.state.23 P7.call.19 P9.const.08 D.leads.17
      D.leads.24 D.leads.27 D.leads.33 D.leads.37 D.leads.60
    `);
    await using at = await setUpIntake();
    const provider = await insertProvider(at.database.db, { zipCode: '80202' });
    const input = leadInput({
      email: 'Mixed.Case@Example.COM',
      phone: ' (303) 555-0142 ',
      zip_code: '80202-1234',
      form: 'landing',
      token: at.services.submissions.formTokens.issue('landing'),
      acceptance_message: getConsentText('landing')?.text,
      attribution: { first: { utm_source: 'news', gclid: 'abc' }, last: { utm_source: 'search' } },
    });
    at.clock.ms += 5_000;
    const { body, replayed } = await at.send(input, {
      globalPrivacyControl: true,
      ip: '198.51.100.7',
    });
    expect({ body, replayed }).toEqual({
      body: { id: body.id, providerId: provider.id },
      replayed: false,
    });
    expect(await at.lead(body.id)).toMatchObject({
      email: 'Mixed.Case@Example.COM',
      email_norm: 'mixed.case@example.com',
      phone: '(303) 555-0142',
      phone_e164: '+13035550142',
      zip_code: '80202',
      zip5: '80202',
      match_method: 'nearest',
      crm_sync_status: 'pending',
      acceptance_consent: true,
      acceptance_ip: '198.51.100.7',
      quarantined_at: null,
      duplicate_of: null,
    });
    expect(await at.consent(body.id)).toMatchObject({
      form_key: 'landing',
      text_id: getConsentText('landing')?.id,
      text_version: getConsentText('landing')?.version,
      text_known: true,
      channels: getConsentText('landing')?.channels,
      seller_provider_id: null,
      ip: '198.51.100.7',
      host: 'localhost',
      form_sha256: 'f'.repeat(64),
      ms_from_render: 5_000,
      gpc: true,
    });
    const touches = await at.database
      .sql`select touch, utm_source, gclid from lead_attribution order by touch`;
    expect(touches).toEqual([
      { touch: 'first', utm_source: 'news', gclid: 'abc' },
      { touch: 'last', utm_source: 'search', gclid: null },
    ]);
    expect(await at.database.sql`select 1 from consent_seal_queue`).toHaveLength(1);
    expect(await at.database.sql`select 1 from consent_form_snapshots`).toHaveLength(1);
  });

  test.each([
    ['find', undefined, { text_id: getConsentText('find')?.id, text_known: true }],
    ['quiz', undefined, { text_id: getConsentText('quiz')?.id, text_known: true }],
    ['api', undefined, { text_id: null, text_known: false, text_shown: '' }],
    [
      'landing',
      getConsentText('find')?.text,
      { text_id: null, text_known: false, text_shown: getConsentText('find')?.text, channels: [] },
    ],
    [
      'find',
      getConsentText('landing')?.text,
      { text_id: null, text_known: false, text_shown: getConsentText('landing')?.text, channels: [] },
    ],
    ['quiz', getConsentText('landing')?.text, { text_id: getConsentText('landing')?.id, text_known: true }],
    [
      'landing',
      'You may call me  ever.',
      { text_id: null, text_known: false, text_shown: 'You may call me  ever.' },
    ],
  ] as const)('records the consent text of form %s with message %j', async (form, message, expected) => {
    await using at = await setUpIntake();
    const input = leadInput({ form, token: at.token(form) });
    delete input.acceptance_message;
    const { body } = await at.send(message === undefined ? input : { ...input, acceptance_message: message });
    expect(await at.consent(body.id)).toMatchObject(expected);
  });

  test('from a provider’s form on the main site names it only if it gets the lead', async () => {
    await using at = await setUpIntake();
    const [near, gone] = [
      await insertProvider(at.database.db, { zipCode: '80202' }),
      await insertProvider(at.database.db, { zipCode: '80202', status: 'f' }),
    ];
    // The notice of the new provider arrives soon.
    await expect.poll(async () => (await at.services.tenants.findById(near.id)) !== null).toBe(true);
    const sellers = [];
    for (const { id } of [near, gone]) {
      const input = leadInput({ zip_code: '80202', form: 'microsite', token: at.token('microsite') });
      const { body } = await at.send(input, {}, id);
      expect(body.providerId).toBe(near.id);
      sellers.push((await at.consent(body.id))['seller_provider_id']);
    }
    expect(sellers).toEqual([String(near.id), null]);
  });

  test('on a provider’s host, matches that provider and records it as the seller', async () => {
    meets('D.hosts.35');
    await using at = await setUpIntake();
    const [own, other] = [await insertProvider(at.database.db), await insertProvider(at.database.db)];
    const view = toTenantView(toPageProvider(own));
    const { body } = await at.send(
      leadInput({ form: 'microsite', token: at.token('microsite') }),
      { site: { kind: 'tenant', host: own.domain ?? '', tenant: toRecord(view) } },
      other.id,
    );
    expect(body.providerId).toBe(own.id);
    expect(await at.lead(body.id)).toMatchObject({
      match_method: 'tenant',
      site_provider_id: String(own.id),
    });
    expect(await at.consent(body.id)).toMatchObject({
      seller_provider_id: String(own.id),
      seller_name: view.label,
    });
  });

  test('on the host of a deleted provider, answers 503 and stores nothing', async () => {
    await using at = await setUpIntake();
    const provider = await insertProvider(at.database.db);
    const tenant = toRecord({ ...toTenantView(toPageProvider(provider)), id: provider.id + 1 });
    const site = { kind: 'tenant', host: provider.domain ?? '', tenant } as const;
    await expect(at.send(leadInput(), { site })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await countLeads(at.database)).toBe(0);
  });

  test('matches the requested provider only on the main site and only if it is active', async () => {
    meets('D.leads.49 D.leads.51');
    await using at = await setUpIntake();
    const near = await insertProvider(at.database.db, { zipCode: '80202' });
    const far = await insertProvider(at.database.db, { zipCode: '33131' });
    const gone = await insertProvider(at.database.db, { zipCode: '33131', status: 'f' });
    await expect.poll(() => at.services.tenants.findById(far.id)).not.toBeNull();
    const main = await at.send(leadInput(), {}, far.id);
    expect(main.body.providerId).toBe(far.id);
    expect(await at.lead(main.body.id)).toMatchObject({ match_method: 'requested', site_provider_id: null });
    const inactive = await at.send(leadInput(), {}, gone.id);
    expect(inactive.body.providerId).toBe(near.id);
    const unknownHost = await at.send(
      leadInput(),
      { site: { kind: 'unknown', host: 'other.example', tenant: null } },
      far.id,
    );
    expect(unknownHost.body.providerId).toBe(near.id);
  });

  test.each([
    '８０２０２',
    '80202–1234',
    '80202 1234',
    '802 02',
    'CO 80202',
    'Denver, Colorado, United States, 80202',
  ])('matches the ZIP in %j and stores what was typed beside it', async (zip) => {
    await using at = await setUpIntake();
    const provider = await insertProvider(at.database.db, { zipCode: '80202' });
    const { body } = await at.send(leadInput({ zip_code: zip }));
    expect(body.providerId).toBe(provider.id);
    // A text that is too long to be stored is stored as its ZIP.
    const zipCode = zip.length > 32 ? '80202' : zip;
    expect(await at.lead(body.id)).toMatchObject({ zip_code: zipCode, zip5: '80202' });
  });

  test.each(['00000', 'SW1A 1AA', 'none'])('stores a lead with the ZIP %s unmatched', async (zip) => {
    meets('P3.lead.04 D.leads.28 D.leads.29');
    await using at = await setUpIntake();
    const { body } = await at.send(leadInput({ zip_code: zip }));
    expect(body).toEqual({ id: body.id });
    expect(await at.lead(body.id)).toMatchObject({ provider_id: null, match_method: 'none', zip_code: zip });
  });
});

describe('repeats', () => {
  test('a lead with the same email or phone refers to the person’s first lead', async () => {
    meets('D.leads.71');
    await using at = await setUpIntake();
    const first = await at.send(leadInput({ email: 'a@example.com', phone: '3035550101' }));
    const byEmail = await at.send(leadInput({ email: 'A@example.com', phone: '3035550102' }));
    const byPhone = await at.send(leadInput({ email: 'b@example.com', phone: '+1 303 555 0102' }));
    const other = await at.send(leadInput({ email: 'c@example.com', phone: '3035550103' }));
    expect(await at.lead(byEmail.body.id)).toMatchObject({ duplicate_of: String(first.body.id) });
    expect(await at.lead(byPhone.body.id)).toMatchObject({ duplicate_of: String(first.body.id) });
    expect(await at.lead(other.body.id)).toMatchObject({ duplicate_of: null });
  });

  test('of concurrent leads of one person, exactly one is the first', async () => {
    await using at = await setUpIntake();
    const sent = Array.from({ length: 16 }, (_, n) =>
      at.send(
        leadInput(
          n % 2 === 0
            ? { email: 'same@example.com', phone: '3035550105' }
            : { email: `n${n}@example.com`, phone: '3035550105' },
        ),
        {
          idempotencyKey: `key-${n}`,
        },
      ),
    );
    await Promise.all(sent);
    const rows = await at.database.sql`select id, duplicate_of from leads order by id`;
    const firsts = rows.filter(({ duplicate_of: of }) => of === null);
    expect(firsts).toHaveLength(1);
    expect(new Set(rows.map(({ duplicate_of: of }) => of).filter((of) => of !== null))).toEqual(
      new Set([firsts[0]?.['id']]),
    );
  });
});

describe('quarantine', () => {
  const cases: [
    string,
    (at: IntakeSetup) => { input: Partial<LeadCreateInput>; transport: Caller['transport']; waitMs: number },
    string | null,
  ][] = [
    [
      'a filled honeypot',
      (at) => ({
        input: { website: 'http://spam.example', token: at.services.submissions.formTokens.issue('landing') },
        transport: 'trpc',
        waitMs: 9_000,
      }),
      'honeypot',
    ],
    [
      'a token that is too new',
      (at) => ({
        input: { token: at.services.submissions.formTokens.issue('landing') },
        transport: 'trpc',
        waitMs: 2_999,
      }),
      'token-early',
    ],
    [
      'an expired token',
      (at) => ({
        input: { token: at.services.submissions.formTokens.issue('landing') },
        transport: 'form',
        waitMs: 86_400_001,
      }),
      null,
    ],
    ['a forged token', () => ({ input: { token: 'made-up' }, transport: 'trpc', waitMs: 0 }), 'token-forged'],
    [
      'another form’s token',
      (at) => ({
        input: { token: at.services.submissions.formTokens.issue('quiz') },
        transport: 'trpc',
        waitMs: 9_000,
      }),
      'token-forged',
    ],
    ['no token on a plain form', () => ({ input: {}, transport: 'form', waitMs: 0 }), 'token-missing'],
    [
      'a valid token on a plain form',
      (at) => ({
        input: { token: at.services.submissions.formTokens.issue('landing') },
        transport: 'form',
        waitMs: 9_000,
      }),
      null,
    ],
    ['no token in a script’s JSON', () => ({ input: {}, transport: 'rest', waitMs: 0 }), null],
  ];
  test.each(cases)(
    'a submission with %s is stored, judged and answered like any other',
    async (_, prepare, reason) => {
      meets('D.leads.75 D.leads.78 D.leads.80 D.leads.81 D.leads.82 D.abuse.35 D.abuse.45');
      await using at = await setUpIntake();
      const provider = await insertProvider(at.database.db, { zipCode: '80202' });
      const { input, transport, waitMs } = prepare(at);
      at.clock.ms += waitMs;
      const { body } = await at.send(leadInput({ form: 'landing', ...input }), { transport });
      expect(body).toEqual({ id: body.id, providerId: provider.id });
      const lead = await at.lead(body.id);
      expect(lead['quarantine_reason']).toBe(reason);
      expect(lead['quarantined_at'] === null).toBe(reason === null);
      expect(await at.consent(body.id)).toMatchObject({ checked: true });
    },
  );
});

test('a lead blocked by a lock gets 503 in 8 s, and a retry finds the stored lead', async () => {
  await using at = await setUpIntake();
  const input = leadInput();
  const before = await at.send(leadInput());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  using _ = { [Symbol.dispose]: () => vi.useRealTimers() };
  const hung = await at.database.sql.begin(async (tx) => {
    await tx`lock table leads in access exclusive mode`;
    const sent = writeWithTimeout(at.services.health, () => at.send(input)).catch((error: unknown) => error);
    await expect
      .poll(
        () => tx`select 1 from pg_locks where not granted and relation = 'leads'::regclass
          and database = (select oid from pg_database where datname = current_database())`,
      )
      .toHaveLength(1);
    await vi.advanceTimersByTimeAsync(8_000);
    return sent;
  });
  expect(hung).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
  const { body, replayed } = await at.send(input);
  expect(replayed).toBe(true);
  expect(body.id).toBeGreaterThan(before.body.id);
  expect(await countLeads(at.database)).toBe(2);
});

test('a script gets half the limit of a form, and a refused lead is not stored', async () => {
  meets('D.leads.85 D.abuse.34');
  await using at = await setUpIntake({ RATE_LIMIT_LEADS: '3/1m' });
  await at.send(leadInput());
  await at.send(leadInput());
  await expect(at.send(leadInput())).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  expect(await countLeads(at.database)).toBe(2);
});
