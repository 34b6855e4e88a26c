import { readdirSync, readFileSync } from 'node:fs';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Sql } from '#server/db/connect.ts';
import * as schema from '#server/db/schema/index.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';

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
    await expect(insert(table, wrong)).rejects.toMatchObject({ constraint_name: constraint });
  });

  test('a second active clinic on the same domain, while an inactive one may keep it', async () => {
    await insertProvider({ domain: 'shared.example', status: 'f' });
    await insertProvider({ domain: 'shared.example' });
    await expect(insertProvider({ domain: 'shared.example' })).rejects.toMatchObject({
      constraint_name: 'providers_active_domain_key',
    });
  });

  test('a second clinic with the same WordPress id, while any number have none', async () => {
    await insertProvider();
    await insertProvider();
    await insertProvider({ wordpress_id: 7 });
    await expect(insertProvider({ wordpress_id: 7 })).rejects.toMatchObject({
      constraint_name: 'providers_wordpress_id_key',
    });
  });

  test('a second account with the same address, however it is written', async () => {
    await insert('staff_accounts', { email: 'Same@staff.example' });
    await expect(insert('staff_accounts', { email: 'same@STAFF.example' })).rejects.toMatchObject({
      constraint_name: 'staff_accounts_email_key',
    });
  });

  test('deleting a clinic that has leads', async () => {
    const id = await insertProvider();
    await insert('leads', { provider_id: id, match_method: 'manual' });
    await expect(database.sql`delete from providers where id = ${id}`).rejects.toMatchObject({
      constraint_name: 'leads_provider_id_providers_id_fk',
    });
  });
});

describe('a clinic is placed by the database, whoever writes it', () => {
  async function place(id: number): Promise<unknown> {
    const [row] = await database.sql`
      select location_source as source, round(latitude(location)::numeric, 4)::float8 as latitude, round(longitude(location)::numeric, 4)::float8 as longitude
      from providers where id = ${id}`;
    return row;
  }
  async function centroid(zip: string): Promise<{ latitude: number; longitude: number }> {
    const [row] = await database.sql<{ latitude: number; longitude: number }[]>`
      select round(latitude::numeric, 4)::float8 as latitude, round(longitude::numeric, 4)::float8 as longitude from zip_centroids where zip = ${zip}`;
    if (row === undefined) throw new Error(`${zip} is not in the table`);
    return row;
  }

  test('at its own coordinates first', async () => {
    const id = await insertProvider({ latitude: 61.2176, longitude: -149.8997 });
    expect(await place(id)).toEqual({ source: 'coordinates', latitude: 61.2176, longitude: -149.8997 });
  });

  test("else at its ZIP's centroid, ZIP+4 included", async () => {
    const expected = { source: 'zip', ...(await centroid('80202')) };
    expect(await place(await insertProvider({ zip_code: '80202' }))).toEqual(expected);
    expect(await place(await insertProvider({ zip_code: '80202-1234' }))).toEqual(expected);
  });

  test("else at its prefix's centroid, else nowhere", async () => {
    const [unknown] = await database.sql<{ zip: string }[]>`
      select zip from generate_series(80200, 80299) as n, lateral (select n::text as zip) as made
      where not exists (select from zip_centroids known where known.zip = made.zip) limit 1`;
    expect(await place(await insertProvider({ zip_code: unknown?.zip ?? '' }))).toEqual({
      source: 'prefix',
      ...(await centroid('802')),
    });
    expect(await place(await insertProvider({ zip_code: 'M5V 2T6' }))).toEqual({
      source: null,
      latitude: null,
      longitude: null,
    });
  });

  test('anew with every change, and a location written by hand does not stand', async () => {
    const id = await insertProvider({ zip_code: '80202' });
    await database.sql`update providers set zip_code = '10016' where id = ${id}`;
    expect(await place(id)).toEqual({ source: 'zip', ...(await centroid('10016')) });
    await database.sql`update providers set latitude = 21.3069, longitude = -157.8583 where id = ${id}`;
    expect(await place(id)).toEqual({ source: 'coordinates', latitude: 21.3069, longitude: -157.8583 });
    await database.sql`update providers set location = null, location_source = null where id = ${id}`;
    expect(await place(id)).toMatchObject({ source: 'coordinates' });
  });

  test('an empty domain counts as none, and a change moves updated_at', async () => {
    const id = await insertProvider({ domain: '' });
    const [before] =
      await database.sql`select domain, updated_at = created_at as untouched from providers where id = ${id}`;
    expect(before).toEqual({ domain: null, untouched: true });
    await database.sql`update providers set updated_at = '2000-01-01', name = 'Renamed' where id = ${id}`;
    const [after] =
      await database.sql`select updated_at > '2020-01-01' as moved from providers where id = ${id}`;
    expect(after).toEqual({ moved: true });
  });
});

test('a change of clinics is announced with their ids, of very many with "*", and not at all when nothing changed', async () => {
  await using own = await testDb();
  const heard: string[] = [];
  await own.sql.listen('providers_changed', (payload) => heard.push(payload));
  const provider = { name: 'Notified', zip_code: '80202', email: 'desk@clinic.example' };
  await own.sql`insert into providers ${own.sql([provider, provider])}`;
  await own.sql`update providers set name = 'Told again' where id = 2`;
  await own.sql`update providers set name = 'Nobody' where id = 999`;
  await own.sql`delete from providers where id = 1`;
  await own.sql
    .begin(async (tx) => {
      await tx`insert into providers ${tx(provider)}`;
      throw new Error('rolled back');
    })
    .catch(() => undefined);
  await own.sql`insert into providers ${own.sql(Array.from({ length: 200 }, () => provider))}`;
  await own.sql`update providers set name = 'Everyone'`;
  await own.sql`truncate providers cascade`;
  await vi.waitFor(() => expect(heard).toHaveLength(6));
  const [inserted, updated, deleted, twoHundred, everyone, truncated] = heard;
  expect([inserted, updated, deleted]).toEqual(['1,2', '2', '1']);
  expect(twoHundred?.split(',')).toHaveLength(200);
  expect([everyone, truncated]).toEqual(['*', '*']);
});

test('the longest announcement fits into a notification', async () => {
  await using own = await testDb();
  const longest = 'alter sequence providers_id_seq restart with 9007199254740000';
  await own.sql.unsafe(longest);
  const provider = { name: 'Notified', zip_code: '80202', email: 'desk@clinic.example' };
  await own.sql`insert into providers ${own.sql(Array.from({ length: 200 }, () => provider))}`;
  expect(await own.db.$count(schema.providers)).toBe(200);
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

  test('and is still there', async () => {
    const [left] = await database.sql`
      select (select count(*)::int from consent_records) as records, (select count(*)::int from consent_seals) as seals,
        (select count(*)::int from consent_form_snapshots) as snapshots`;
    expect(left).toEqual({ records: 1, seals: 1, snapshots: 1 });
  });
});

test.each(["update audit_log set actor_name = 'Nobody'", 'delete from audit_log', 'truncate audit_log'])(
  'what staff did stays written down: %s is refused',
  async (statement) => {
    await insert('audit_log');
    await expect(database.sql.unsafe(statement)).rejects.toMatchObject({
      code: '23001',
      message: 'audit_log is append-only',
    });
  },
);

test('the nearest clinic is found through the index, and is the one a full comparison finds', async () => {
  await using own = await testDb();
  const { sql } = own;
  await sql`
    insert into providers (name, zip_code, email, status, latitude, longitude)
    select 'Clinic ' || n, '80202', 'desk@clinic.example', case when n % 10 = 0 then 'f' else 't' end, 17 + 55 * random(), 180 - 360 * random()
    from generate_series(1, 4000) n`;
  await sql`analyze providers`;
  const nearest = (latitude: number, longitude: number): string => `
    select id from (
      select id from providers where status = 't' and location is not null
      order by location <-> ll_to_earth(${latitude}, ${longitude}) fetch first 1 row with ties
    ) nearest order by id limit 1`;
  const plan = await sql.unsafe(`explain ${nearest(39.75, -105)}`);
  const text = plan.map((line: Record<string, unknown>) => String(line['QUERY PLAN'])).join('\n');
  expect(text).toContain('Index Scan using providers_active_location_idx');
  expect(text).not.toContain('Seq Scan');
  for (const [latitude, longitude] of [
    [39.75, -105],
    [61.2, -149.9],
    [52, 179.99],
    [52, -179.99],
    [18.4, -66],
  ] as const) {
    const [found] = await sql.unsafe(nearest(latitude, longitude));
    const [compared] = await sql`
      select id from providers where status = 't'
      order by earth_distance(location, ll_to_earth(${latitude}, ${longitude})), id limit 1`;
    expect(found?.['id']).toBe(compared?.['id']);
  }
});

const columnQuery = `
  select table_name || '.' || column_name || ' ' || udt_name || ' ' || is_nullable || ' ' || coalesce(column_default, '')
    || ' ' || is_identity || ' ' || coalesce(generation_expression, '') as line
  from information_schema.columns where table_schema = 'public' and table_name not like 'schema\\_%'`;
const constraintQuery = `
  select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as line
  from pg_constraint where connamespace = 'public'::regnamespace and conrelid::regclass::text not like 'schema\\_%'`;
/** Without covering columns, which the schema files can't express. */
const indexQuery = `
  select regexp_replace(indexdef, ' INCLUDE \\([^)]*\\)', '') as line
  from pg_indexes where schemaname = 'public' and tablename not like 'schema\\_%'`;

async function catalogOf(sql: Sql): Promise<string[]> {
  const lines: string[] = [];
  for (const query of [columnQuery, constraintQuery, indexQuery])
    lines.push(...(await sql.unsafe<{ line: string }[]>(query)).map(({ line }) => line));
  return lines.toSorted();
}

describe('the migrations', () => {
  test('leave nothing for drizzle-kit to generate', async () => {
    const [last] = readdirSync('migrations/meta')
      .filter((file) => file.endsWith('_snapshot.json'))
      .toSorted()
      .slice(-1);
    const landed = JSON.parse(readFileSync(`migrations/meta/${last}`, 'utf8')) as ReturnType<
      typeof generateDrizzleJson
    >;
    expect(await generateMigration(landed, generateDrizzleJson(schema, landed.id))).toEqual([]);
  });

  test('make the tables, constraints and indexes of the schema files', async () => {
    await using migrated = await testDb({ max: 1 });
    await using declared = await testDb({ max: 1 });
    await declared.sql.unsafe('drop schema public cascade; create schema public');
    for (const extension of ['cube', 'earthdistance', 'pg_trgm'])
      await declared.sql.unsafe(`create extension ${extension}`);
    const statements = await generateMigration(generateDrizzleJson({}), generateDrizzleJson(schema));
    for (const statement of statements) await declared.sql.unsafe(statement);
    const catalog = await catalogOf(migrated.sql);
    expect(catalog.length).toBeGreaterThan(300);
    expect(catalog).toEqual(await catalogOf(declared.sql));
  });

  test('leave triggers only for notices, append-only tables and locations', async () => {
    const found = await database.sql<{ name: string; path: string[] | null }[]>`
      select distinct p.proname as name, p.proconfig as path from pg_trigger t join pg_proc p on p.oid = t.tgfoid
      where not t.tgisinternal order by 1`;
    expect(found.map(({ name }) => name)).toEqual([
      'allow_consent_erasure',
      'allow_withdrawal_erasure',
      'locate_provider',
      'notify_providers_changed',
      'refuse_change',
    ]);
    for (const { path } of found) expect(path).toEqual(['search_path=public']);
  });
});
