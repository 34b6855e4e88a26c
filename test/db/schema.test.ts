import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { meets } from '#test/support/meets.ts';

let database: TestDb;
beforeAll(async () => {
  database = await testDb();
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

type Row = Record<string, string | number | boolean | null | Date | string[]>;

const sha = 'a'.repeat(64);
const rows: Record<string, Row> = {
  providers: { name: 'Quay Clinic', zip_code: '80202', email: 'desk@clinic.example' },
  leads: {
    first_name: 'Ada',
    last_name: 'Reed',
    email: 'ada@mail.example',
    phone: '303 555 0100',
    zip_code: '80202',
    email_norm: 'ada@mail.example',
    phone_e164: '+13035550100',
    match_method: 'none',
    match_reason: 'no clinic within 100 miles',
  },
  provider_applications: {
    practice_name: 'Quay Clinic',
    contact_name: 'Ada Reed',
    role: 'Owner',
    email: 'ada@clinic.example',
    phone: '303 555 0100',
    phone_e164: '+13035550100',
    zip_code: '80202',
    consent_text: 'I agree',
    host: 'localhost',
    idempotency_key: 'k',
  },
  idempotency_keys: { key: 'k', request_sha256: sha, status: 201, body: '{}', expires_at: '2030-01-01' },
  consent_form_snapshots: { sha256: sha, html: '<form></form>' },
  consent_records: {
    uuid: '00000000-0000-4000-8000-000000000000',
    lead_id: 1,
    form_key: 'landing',
    text_shown: 'I agree',
    text_sha256: sha,
    text_known: true,
    checked: true,
    channels: ['email', 'sms'],
    first_name: 'Ada',
    last_name: 'Reed',
    email: 'ada@mail.example',
    phone: '303 555 0100',
    accepted_at: '2026-01-01',
    ip: '203.0.113.9',
    host: 'localhost',
    gpc: false,
    retain_until: '2031-01-01',
    row_hash: sha,
  },
  consent_erasures: {
    record_id: 1,
    at: '2026-01-01',
    salt: 'a'.repeat(32),
    hashes: '{}',
    was_intact: true,
    erasure_hash: sha,
  },
  consent_seals: { seq: 1, record_id: 1, prev_hash: sha, seal_hash: sha },
  lead_attribution: { lead_id: 1, touch: 'first' },
  deliveries: {
    id: '00000000-0000-4000-8000-000000000001',
    lead_id: 1,
    channel: 'crm',
    next_attempt_at: '2026-01-01',
  },
  delivery_attempts: {
    delivery_id: '00000000-0000-4000-8000-000000000001',
    lead_id: 1,
    channel: 'crm',
    duration_ms: 180,
    outcome: 'delivered',
  },
  suppressions: { kind: 'email', value_hmac: sha, reason: 'withdrawn', by: 'Visitor' },
  consent_withdrawals: { lead_id: 1, at: '2026-01-01', how: 'page', by: 'Visitor' },
  lead_outcomes: { lead_id: 1, provider_id: 1, outcome: 'reached', by: 'Clinic' },
  sync_runs: { source: 'wordpress', kind: 'full', started_by: 'Schedule' },
  sync_run_rows: { run_id: 1, change: 'created' },
  geocoded_addresses: { address: '1 main st' },
  staff_accounts: { name: 'Ada', email: 'ada@staff.example', password_hash: 'x', role: 'viewer' },
  staff_sessions: { token_sha256: sha, password_sha256: sha, expires_at: '2030-01-01' },
  api_tokens: {
    name: 'Nightly',
    prefix: 'mpx_abc',
    token_sha256: sha,
    scopes: ['sync:run'],
    created_by: 'Ada',
  },
  audit_log: { actor_kind: 'staff', actor_name: 'Ada', action: 'sign-in' },
  webhook_endpoints: {
    id: '00000000-0000-4000-8000-000000000002',
    url: 'https://integrator.example/hook',
    types: [],
    secret: 'v1.sealed',
    created_by: 'Ada',
  },
};

async function insert(table: string, overrides: Row = {}): Promise<void> {
  const { sql } = database;
  await sql`insert into ${sql(table)} ${sql({ ...rows[table], ...overrides })}`;
}

/** A clinic's id, of a clinic that no other test has. */
async function insertProvider(overrides: Row = {}): Promise<number> {
  const { sql } = database;
  const [row] = await sql<
    { id: string }[]
  >`insert into providers ${sql({ ...rows['providers'], ...overrides })} returning id`;
  return Number(row?.id);
}

test('a provider’s ZIP is indexed, and a new lead is pending without consent', async () => {
  meets('P3.provider.04 P3.provider.06 P3.lead.11 P9.const.08');
  const { sql } = database;
  const [index] = await sql`select indexdef from pg_indexes where indexname = 'providers_zip_code_idx'`;
  expect(index?.['indexdef']).toMatch(/ on public\.providers using btree \(zip_code\)$/i);
  const [lead] = await sql`
    insert into leads ${sql(rows['leads'] ?? {})} returning acceptance_consent as consent, crm_sync_status as status`;
  expect(lead).toEqual({ consent: false, status: 'pending' });
});

test('a provider is active and has no offers unless they are set', async () => {
  meets('P3.provider.07 P3.provider.15');
  const { sql } = database;
  const [provider] = await sql`
    insert into providers ${sql(rows['providers'] ?? {})}
    returning status, accepts_free_consultation as free, accepts_financing as financing`;
  expect(provider).toEqual({ status: 't', free: false, financing: false });
});

describe('the database refuses', () => {
  test.each<[table: string, wrong: Row, constraint: string]>([
    ['providers', { status: 'x' }, 'providers_status_check'],
    ['providers', { name: '  ' }, 'providers_name_check'],
    ['providers', { name: 'x'.repeat(201) }, 'providers_name_check'],
    ['providers', { latitude: 90.1, longitude: 0 }, 'providers_latitude_check'],
    ['providers', { latitude: 'NaN', longitude: 0 }, 'on_surface'],
    ['providers', { latitude: 0, longitude: -180.1 }, 'providers_longitude_check'],
    ['providers', { latitude: 39.7 }, 'providers_coordinates_check'],
    ['providers', { domain: 'Upper.example' }, 'providers_domain_check'],
    ['providers', { domain: 'www.clinic.example' }, 'providers_domain_check'],
    ['providers', { domain: 'clinic.example:8080' }, 'providers_domain_check'],
    ['providers', { domain: 'clinic.example.' }, 'providers_domain_check'],
    ['providers', { domain: 'a b.example' }, 'providers_domain_check'],
    ['providers', { theme_hue: 360 }, 'providers_theme_hue_check'],
    ['providers', { google_ads_id: "AW-1');alert(1)" }, 'providers_google_ads_id_check'],
    ['providers', { bing_ads_id: 'x' }, 'providers_bing_ads_id_check'],
    ['leads', { crm_sync_status: 'done' }, 'leads_crm_sync_status_check'],
    ['leads', { match_method: 'guess' }, 'leads_match_method_check'],
    ['leads', { match_method: 'nearest' }, 'leads_match_provider_check'],
    ['leads', { quarantine_reason: 'honeypot' }, 'leads_quarantine_check'],
    ['leads', { quarantined_at: '2026-01-01' }, 'leads_quarantine_check'],
    ['leads', { zip5: '8020' }, 'leads_zip5_check'],
    ['provider_applications', { status: 'lost' }, 'provider_applications_status_check'],
    ['provider_applications', { zip_code: '8020' }, 'provider_applications_zip_code_check'],
    ['provider_applications', { phone_e164: '303' }, 'provider_applications_phone_e164_check'],
    ['provider_applications', { quarantine_reason: 'honeypot' }, 'provider_applications_quarantine_check'],
    ['leads', { phone_e164: '3035550100' }, 'leads_phone_e164_check'],
    ['leads', { provider_id: 999_999, match_method: 'manual' }, 'leads_provider_id_providers_id_fk'],
    ['leads', { site_provider_id: 999_999 }, 'leads_site_provider_id_providers_id_fk'],
    ['delivery_attempts', { channel: 'fax' }, 'delivery_attempts_channel_check'],
    ['delivery_attempts', { outcome: 'perhaps' }, 'delivery_attempts_outcome_check'],
    ['delivery_attempts', { duration_ms: -1 }, 'delivery_attempts_duration_check'],
    ['delivery_attempts', {}, 'delivery_attempts_delivery_id_deliveries_id_fk'],
    ['deliveries', { channel: 'fax' }, 'deliveries_channel_check'],
    [
      'deliveries',
      { state: 'lost', next_attempt_at: null, finished_at: '2026-01-01', reason: 'x' },
      'deliveries_state_check',
    ],
    ['deliveries', { template: 'poem' }, 'deliveries_template_check'],
    ['deliveries', { attempts: -1 }, 'deliveries_attempts_check'],
    ['deliveries', { attempts: 1, attempts_before_round: 2 }, 'deliveries_attempts_check'],
    ['deliveries', { next_attempt_at: null }, 'deliveries_next_attempt_check'],
    ['deliveries', { state: 'held', next_attempt_at: null }, 'deliveries_reason_check'],
    ['deliveries', { state: 'failed', next_attempt_at: null, reason: 'x' }, 'deliveries_finished_check'],
    [
      'deliveries',
      { state: 'failed', next_attempt_at: null, finished_at: '2026-01-01' },
      'deliveries_reason_check',
    ],
    [
      'deliveries',
      { state: 'delivered', next_attempt_at: null, finished_at: '2026-01-01', reason: 'x' },
      'deliveries_reason_check',
    ],
    [
      'deliveries',
      {
        ...{ state: 'delivered', next_attempt_at: null, finished_at: '2026-01-01' },
        leased_until: '2026-01-01',
      },
      'deliveries_lease_check',
    ],
    ['deliveries', { finished_at: '2026-01-01' }, 'deliveries_finished_check'],
    ['deliveries', { corrects_lead_id: 1 }, 'deliveries_corrects_check'],
    ['deliveries', { channel: 'webhook' }, 'deliveries_webhook_check'],
    ['deliveries', { lead_id: null }, 'deliveries_webhook_check'],
    ['deliveries', { event_id: '00000000-0000-4000-8000-000000000003' }, 'deliveries_webhook_check'],
    ['delivery_attempts', { channel: 'webhook' }, 'delivery_attempts_lead_check'],
    ['deliveries', { lead_id: 999_999 }, 'deliveries_lead_id_leads_id_fk'],
    ['suppressions', { kind: 'fax' }, 'suppressions_kind_check'],
    ['suppressions', { value_hmac: 'short' }, 'suppressions_value_hmac_check'],
    ['suppressions', { reason: 'mood' }, 'suppressions_reason_check'],
    ['lead_outcomes', { outcome: 'lost' }, 'lead_outcomes_outcome_check'],
    ['lead_outcomes', { lead_id: 999_999 }, 'lead_outcomes_lead_id_leads_id_fk'],
    ['sync_runs', { source: 'fax' }, 'sync_runs_source_check'],
    ['sync_runs', { kind: 'half' }, 'sync_runs_kind_check'],
    ['sync_runs', { outcome: 'lost', finished_at: '2026-01-01' }, 'sync_runs_outcome_check'],
    ['sync_runs', { outcome: 'done' }, 'sync_runs_finished_check'],
    ['sync_run_rows', { change: 'lost' }, 'sync_run_rows_change_check'],
    ['sync_run_rows', { run_id: 999_999 }, 'sync_run_rows_run_id_sync_runs_id_fk'],
    ['geocoded_addresses', { latitude: 39 }, 'geocoded_addresses_coordinates_check'],
    ['idempotency_keys', { key: '' }, 'idempotency_keys_key_check'],
    ['idempotency_keys', { key: 'k'.repeat(321) }, 'idempotency_keys_key_check'],
    ['lead_attribution', { touch: 'middle' }, 'lead_attribution_touch_check'],
    ['lead_attribution', { lead_id: 999_999 }, 'lead_attribution_lead_id_leads_id_fk'],
    ['consent_records', { checked: false }, 'consent_records_checked_check'],
    ['consent_records', { row_hash: 'short' }, 'consent_records_row_hash_check'],
    ['consent_seals', { seal_hash: 'short' }, 'consent_seals_seal_hash_check'],
    ['consent_seals', { sealed: 'letter' }, 'consent_seals_sealed_check'],
    ['consent_erasures', { salt: 'short' }, 'consent_erasures_salt_check'],
    ['consent_erasures', { erasure_hash: 'short' }, 'consent_erasures_erasure_hash_check'],
    ['leads', { erased_at: '2026-01-01' }, 'leads_erased_check'],
    ['consent_withdrawals', { how: 'post' }, 'consent_withdrawals_how_check'],
    ['deliveries', { template: 'news' }, 'deliveries_template_check'],
    ['staff_accounts', { role: 'king' }, 'staff_accounts_role_check'],
    ['staff_accounts', { name: ' ' }, 'staff_accounts_name_check'],
    ['staff_sessions', { token_sha256: 'short' }, 'staff_sessions_token_sha256_check'],
    ['staff_sessions', { account_id: 999_999 }, 'staff_sessions_account_id_staff_accounts_id_fk'],
    ['api_tokens', { name: ' ' }, 'api_tokens_name_check'],
    ['api_tokens', { token_sha256: 'short' }, 'api_tokens_token_sha256_check'],
    ['api_tokens', { scopes: [] }, 'api_tokens_scopes_check'],
    ['webhook_endpoints', { url: 'ftp://x.example' }, 'webhook_endpoints_url_check'],
    ['webhook_endpoints', { payload: 'all' }, 'webhook_endpoints_payload_check'],
    ['webhook_endpoints', { previous_secret: 'v1.x' }, 'webhook_endpoints_previous_check'],
    ['webhook_endpoints', { disabled_at: '2026-01-01' }, 'webhook_endpoints_disabled_check'],
    ['webhook_endpoints', { disabled_reason: 'staff' }, 'webhook_endpoints_disabled_check'],
    [
      'webhook_endpoints',
      { disabled_at: '2026-01-01', disabled_reason: 'mood' },
      'webhook_endpoints_disabled_reason_check',
    ],
    ['webhook_endpoints', { failures: 1 }, 'webhook_endpoints_failures_check'],
    ['audit_log', { actor_kind: 'ghost' }, 'audit_log_actor_kind_check'],
    ['audit_log', { subject_kind: 'lead' }, 'audit_log_subject_check'],
  ])('%s with %o (%s)', async (table, wrong, constraint) => {
    meets('P3.provider.08 P3.lead.03 P3.lead.07');
    await expect(insert(table, wrong)).rejects.toMatchObject({ constraint_name: constraint });
  });

  test('a second active provider on a domain, but not an inactive one', async () => {
    meets('P9.const.07');
    await insertProvider({ domain: 'shared.example', status: 'f' });
    await insertProvider({ domain: 'shared.example' });
    await expect(insertProvider({ domain: 'shared.example' })).rejects.toMatchObject({
      constraint_name: 'providers_active_domain_key',
    });
  });

  test('a second provider with the same WordPress id, but many without one', async () => {
    meets('P3.provider.02');
    await insertProvider();
    await insertProvider();
    await insertProvider({ wordpress_id: 7 });
    await expect(insertProvider({ wordpress_id: 7 })).rejects.toMatchObject({
      constraint_name: 'providers_wordpress_id_key',
    });
  });

  test('a second account with the same address in any case', async () => {
    await insert('staff_accounts', { email: 'Same@staff.example' });
    await expect(insert('staff_accounts', { email: 'same@STAFF.example' })).rejects.toMatchObject({
      constraint_name: 'staff_accounts_email_key',
    });
  });

  test('deleting a provider that has leads', async () => {
    const id = await insertProvider();
    await insert('leads', { provider_id: id, match_method: 'manual' });
    await expect(database.sql`delete from providers where id = ${id}`).rejects.toMatchObject({
      constraint_name: 'leads_provider_id_providers_id_fk',
    });
  });
});

describe('consent evidence is append-only', () => {
  beforeAll(async () => {
    await insert('consent_form_snapshots');
    await insert('consent_records', { form_sha256: sha });
    await insert('consent_seals');
    await insert('consent_withdrawals');
  });

  test.each([
    ["update consent_records set email = 'other@mail.example'", 'consent_records'],
    ['update consent_records set id = default', 'consent_records'],
    ['delete from consent_records', 'consent_records'],
    ['truncate consent_records', 'consent_records'],
    [`update consent_seals set seal_hash = '${'b'.repeat(64)}'`, 'consent_seals'],
    ['delete from consent_seals', 'consent_seals'],
    ['truncate consent_seals', 'consent_seals'],
    ["update consent_withdrawals set by = 'nobody'", 'consent_withdrawals'],
    ['delete from consent_withdrawals', 'consent_withdrawals'],
    ['truncate consent_withdrawals', 'consent_withdrawals'],
    ["update consent_form_snapshots set html = ''", 'consent_form_snapshots'],
    ['delete from consent_form_snapshots', 'consent_form_snapshots'],
    ['truncate consent_form_snapshots cascade', 'consent_records'],
  ])('%s is refused', async (statement, table) => {
    await expect(database.sql.unsafe(statement)).rejects.toMatchObject({
      code: '23001',
      message: `${table} is append-only`,
    });
  });

  test('remains after all attempts', async () => {
    const [left] = await database.sql`
      select (select count(*)::int from consent_records) as records, (select count(*)::int from consent_seals) as seals,
        (select count(*)::int from consent_form_snapshots) as snapshots`;
    expect(left).toEqual({ records: 1, seals: 1, snapshots: 1 });
  });
});

test.each(["update audit_log set actor_name = 'Nobody'", 'delete from audit_log', 'truncate audit_log'])(
  'the audit log is append-only: %s is refused',
  async (statement) => {
    meets('D.admin.39');
    await insert('audit_log');
    await expect(database.sql.unsafe(statement)).rejects.toMatchObject({
      code: '23001',
      message: 'audit_log is append-only',
    });
  },
);
