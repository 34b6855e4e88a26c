import { expect, test } from 'vitest';
import { dayMs } from '#shared/formats/time.ts';
import { staffActionOn, testActor } from '#test/support/staffActions.ts';
import { sealAll } from '#test/support/evidence.ts';
import { leadInput } from '#test/support/factories.ts';
import { setUpIntake } from '#test/support/intakeSetup.ts';
import { insertPerson, mina, neighborContact, personalTraces, tracesIn } from '#test/support/erasureSetup.ts';
import { testSecret } from '#test/support/testKeys.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { restoreLeads } from '../leads/changes/leadChanges.ts';
import { purgeDeletedLeads } from '../leads/changes/purgeLeads.ts';
import { viewLead } from '../leads/detail/leadDetail.ts';
import { verifyConsent } from '../consent/consentVerify.ts';
import { isSuppressed } from '../suppression/suppressions.ts';
import { erasePerson } from './erasePerson.ts';
import { findPerson } from './findPerson.ts';
import { personTables } from './personExport.ts';
import { forgetRemoteIds } from '../outbox/notices.ts';
import { waitUntil } from '#test/support/waitFor.ts';

async function listFaults({ db }: TestDb): Promise<string[]> {
  const faults: string[] = [];
  await verifyConsent(db, ({ problem }) => faults.push(problem), [testSecret]);
  // The form of this setup and its hash are invented.
  return faults.filter((problem) => !problem.startsWith('the form shown'));
}

/** Every row of every table, as text, except the person's rows and the audit log. */
async function othersRows({ sql }: TestDb, leadId: number): Promise<unknown> {
  const [row] = await sql`
    select (select to_jsonb(l) from leads l where id = ${leadId}) as lead,
      (select jsonb_agg(to_jsonb(a)) from lead_attribution a where lead_id = ${leadId}) as attribution,
      (select jsonb_agg(to_jsonb(c)) from consent_records c where lead_id = ${leadId}) as consent,
      (select jsonb_agg(to_jsonb(k)) from idempotency_keys k where lead_id = ${leadId}) as keys`;
  return row;
}

test('an erasure removes the person from all tables, and the evidence still verifies', async () => {
  await using at = await setUpIntake();
  const { database } = at;
  const { leadIds, purgedId, provider } = await insertPerson(at);
  const other = (await at.send(leadInput({ first_name: 'Ottilie', zip_code: '80202', form: 'landing' }))).body
    .id;
  await sealAll(database);
  const staffAction = staffActionOn(database, at.clock);
  await viewLead(staffAction, leadIds[0]);
  const held = await tracesIn(database, personalTraces);
  expect(personalTraces.filter((trace) => !held.some((found) => found.endsWith(trace)))).toEqual([]);
  const before = await othersRows(database, other);

  const receipt = await erasePerson(staffAction, { leadId: leadIds[2], reason: 'asked' });
  // Found by the third lead's email. The second lead shares only the phone, so it may be another person's.
  expect(receipt.leadIds).toEqual([leadIds[0], leadIds[2]]);
  const rest = await erasePerson(staffAction, { leadId: leadIds[1], reason: 'asked' });
  expect(rest).toMatchObject({ leadIds: [purgedId, leadIds[1]], consentRecords: 2 });

  // The CRM's id of the contact stays until the CRM has the erasure.
  const [crm] = await database.sql`
    update deliveries set state = 'delivered', reason = null, next_attempt_at = null, finished_at = now() where channel = 'crm' and template = 'erased' returning provider_id, lead_id`;
  expect(crm).toEqual({ provider_id: String(provider.id), lead_id: String(leadIds[0]) });
  const kept = [...(await database.sql`delete from problem_reports returning contact`)];
  expect(kept).toEqual([{ contact: neighborContact }]);
  expect(await tracesIn(database, personalTraces)).toEqual(['public.deliveries: contact-of-mina']);
  await forgetRemoteIds(database.db);
  expect(await tracesIn(database, personalTraces)).toEqual([]);
  expect(await othersRows(database, other)).toEqual(before);
  expect(await listFaults(database)).toEqual([]);
});

const staff = ['accounts', 'identities', 'invitations', 'second_factor_roles', 'second_factors', 'sessions'];
/** Tables without data about people, with what they contain. */
const othersTables: Readonly<Record<string, string>> = {
  address_notices: 'clinics',
  alerts: 'faults that are not about one lead',
  access_changes: 'ids of tokens and accounts',
  api_tokens: 'scripts',
  application_messages: 'practices that apply',
  area_people: 'rounded counts of at least 10 people',
  channel_refusals: 'channels',
  claim_acceptances: 'names of owners',
  consent_checkpoints: 'hashes and counts',
  consent_form_snapshots: 'forms as everybody sees them',
  data_keys: 'keys',
  erasure_ledger: 'keyed hashes as in suppressions, and ids that leads had',
  form_starts: 'counts without a person',
  form_steps: 'counts without a person',
  geocoded_addresses: 'addresses of clinics',
  hidden_claims: 'names of owners',
  normal_form_upgrades: 'how far rows were compared',
  provider_applications: 'practices that apply',
  providers: 'clinics',
  rate_limits: 'keyed hashes of addresses, for minutes',
  rematch_requests: 'clinics that changed',
  schema_functions: 'the schema',
  schema_migrations: 'the schema',
  ...Object.fromEntries(staff.map((name) => [`staff_${name}`, 'staff'])),
  sync_run_rows: 'clinics',
  sync_runs: 'clinics',
  unreachable_addresses: 'keyed hashes of email addresses, for a year',
  unreachable_providers: 'clinics',
  webhook_endpoints: 'integrators',
  weekly_emails: 'staff',
  zip_centroids: 'places',
  zip_edition: 'places',
};

test('every table is covered by the erasure or listed as free of lead data', async () => {
  await using database = await testDb();
  const tables = await database.sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' order by tablename collate "C"`;
  expect(tables.map(({ name }) => name)).toEqual(
    [...Object.keys(personTables), ...Object.keys(othersTables)].toSorted(),
  );
});

test('an erasure suppresses the person, cancels deliveries and informs by lead id', async () => {
  await using at = await setUpIntake();
  const { sql } = at.database;
  const { leadIds, purgedId, provider } = await insertPerson(at);
  const receipt = await erasePerson(staffActionOn(at.database), {
    leadId: leadIds[0],
    reason: 'asked',
    samePhone: [purgedId, leadIds[1]],
  });
  expect(
    await isSuppressed(at.services, { emailNorm: 'mina.q@mail.example', phoneE164: '+19995550000' }),
  ).toBe(true);
  expect(await isSuppressed(at.services, { emailNorm: 'x@mail.example', phoneE164: '+17205550199' })).toBe(
    true,
  );
  const open = await sql`
    select lead_id::int as lead, provider_id::int as provider, channel, template from deliveries
    where state in ('queued', 'held') order by channel`;
  const notice = { lead: leadIds[0], provider: provider.id, template: 'erased' };
  expect([...open]).toEqual([
    { ...notice, channel: 'crm' },
    { ...notice, channel: 'provider-email' },
  ]);
  expect(receipt.messages).toBe(2);
  const withdrawals = await sql`select distinct how, ip from consent_withdrawals order by how`;
  expect([...withdrawals]).toEqual([
    { how: 'erasure', ip: null },
    { how: 'page', ip: null },
  ]);
});

test('an erased lead is counted but never restored, purged or matched by person', async () => {
  await using at = await setUpIntake();
  const { database, clock } = at;
  const { leadIds, purgedId } = await insertPerson(at);
  const staffAction = staffActionOn(database, clock);
  await erasePerson(staffAction, {
    leadId: leadIds[0],
    reason: 'authority',
    samePhone: [purgedId, leadIds[1]],
  });
  const [first, second] = leadIds;
  expect(await at.lead(first)).toMatchObject({
    first_name: 'Erased',
    last_name: '',
    email: `erased-${first}@erased.invalid`,
    phone_e164: `+${String(first).padStart(15, '0')}`,
    zip_code: '80202',
    acceptance_ip: null,
    acceptance_message: null,
  });
  expect((await at.lead(second))['zip_code']).toBe('');
  expect(await restoreLeads(staffAction, leadIds)).toEqual([]);
  await purgeDeletedLeads(database.db, new Date(clock.ms + 40 * dayMs));
  const [left] =
    await database.sql`select count(*)::int as n from leads where id in ${database.sql(leadIds)}`;
  expect(left).toEqual({ n: 3 });
  await expect(findPerson(database.db, { leadId: first })).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(erasePerson(staffAction, { leadId: second, reason: 'asked' })).rejects.toMatchObject({
    code: 'CONFLICT',
  });
});

test('a later lead of an erased person is found without the erased ones', async () => {
  await using at = await setUpIntake();
  const { leadIds, purgedId } = await insertPerson(at);
  await erasePerson(staffActionOn(at.database), {
    leadId: leadIds[0],
    reason: 'asked',
    samePhone: [purgedId, leadIds[1]],
  });
  at.clock.ms += dayMs;
  const again = (await at.send({ ...mina, acceptance_message: 'Once more.' })).body.id;
  expect((await findPerson(at.database.db, { leadId: again })).found.map(({ id }) => id)).toEqual([again]);
});

test('each erased lead has an audit entry with actor, address and reason', async () => {
  await using at = await setUpIntake();
  const { leadIds, purgedId } = await insertPerson(at);
  await erasePerson(staffActionOn(at.database), {
    leadId: leadIds[0],
    reason: 'mistake',
    samePhone: [purgedId, leadIds[1]],
  });
  const lines = await at.database.sql`
    select actor_name, host(ip) as ip, subject_kind, subject_id::int as id, detail from audit_log
    where action = 'person.erase' order by subject_id::int`;
  expect([...lines]).toEqual(
    [purgedId, ...leadIds].map((id) => ({
      actor_name: testActor.name,
      ip: '203.0.113.10',
      subject_kind: 'lead',
      id,
      detail: { reason: 'mistake', leads: 4 },
    })),
  );
});

test('of two concurrent erasures of a person, one succeeds and one gets a conflict', async () => {
  await using at = await setUpIntake();
  const { leadIds } = await insertPerson(at);
  const staffAction = staffActionOn(at.database);
  const results = await Promise.allSettled([
    erasePerson(staffAction, { leadId: leadIds[0], reason: 'asked' }),
    erasePerson(staffAction, { leadId: leadIds[0], reason: 'asked' }),
  ]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } });
  expect(await listFaults(at.database)).toEqual([]);
});

test('a person who shares only the phone keeps the lead; the phone is a task for staff', async () => {
  await using at = await setUpIntake();
  const { database } = at;
  const { sql } = database;
  const { leadIds, purgedId, provider } = await insertPerson(at);
  const otto = { ...mina, first_name: 'Otto', email: 'otto@mail.example' };
  const purged = (await at.send(otto)).body.id;
  await sql`delete from leads where id = ${purged}`;
  const left = (await at.send({ ...otto, email: 'otto.b@mail.example' })).body.id;
  await sql`delete from suppressions`;
  await sql`
    insert into deliveries (id, lead_id, channel, provider_id, state, attempts, finished_at) values (gen_random_uuid(), ${left}, 'provider-email', ${provider.id}, 'delivered', 1, now())`;
  const toRows = async (): Promise<unknown> => [
    await othersRows(database, left),
    await othersRows(database, purged),
    [...(await sql`select * from deliveries where lead_id = ${left} order by id`)],
  ];
  // Neither is still a repeat of Wilhelmina's lead.
  await sql`update leads set duplicate_of = null where id = ${left}`;
  const before = await toRows();
  const receipt = await erasePerson(staffActionOn(database, at.clock), {
    leadId: leadIds[0],
    reason: 'asked',
    samePhone: [purgedId, leadIds[1]],
  });
  expect(receipt.leadIds).toEqual(expect.arrayContaining(leadIds));
  expect(receipt.leadIds).not.toContain(left);
  expect(await toRows()).toEqual(before);
  expect(await sql`select 1 from consent_withdrawals where lead_id in (${left}, ${purged})`).toHaveLength(0);
  const elsewhere = { emailNorm: 'otto.b@mail.example', phoneE164: '+19995550000' };
  expect(await isSuppressed(at.services, elsewhere)).toBe(false);
  // Nobody has proved whose phone it is.
  expect(await isSuppressed(at.services, { ...elsewhere, phoneE164: '+17205550199' })).toBe(false);
  const [entry] = await sql`select email_hmac, phone_hmac from erasure_ledger where kind = 'erased'`;
  expect(entry).toEqual({ email_hmac: expect.any(String), phone_hmac: null });
  const tasks = await sql`select kind, lead_id::int from staff_tasks where done_at is null`;
  expect([...tasks]).toEqual([{ kind: 'phone-withdrawn', lead_id: left }]);
  const lines = await sql<{ id: number; detail: unknown }[]>`
    select subject_id::int as id, detail from audit_log where action = 'person.erase'`;
  expect(lines.map(({ id }) => id)).not.toContain(left);
  expect(lines.map(({ detail }) => detail)).toEqual(
    lines.map(() => ({ reason: 'asked', leads: 4, leftOut: 2 })),
  );
  expect(await listFaults(database)).toEqual([]);
});

test('leads found only by phone are erased only if named, and no others can be named', async () => {
  await using at = await setUpIntake();
  const { leadIds, purgedId } = await insertPerson(at);
  const [asked, byPhone, byMail] = leadIds;
  const staffAction = staffActionOn(at.database);
  const other = (await at.send(leadInput({ form: 'landing' }))).body.id;
  await expect(
    erasePerson(staffAction, { leadId: asked, reason: 'asked', samePhone: [byPhone, other] }),
  ).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await at.database.sql`select 1 from leads where erased_at is not null`).toHaveLength(0);
  const receipt = await erasePerson(staffAction, { leadId: asked, reason: 'asked' });
  expect(receipt.leadIds).toEqual([asked, byMail]);
  const [line] = await at.database.sql`select detail from audit_log where action = 'person.erase' limit 1`;
  expect(line).toEqual({ detail: { reason: 'asked', leads: 2, leftOut: 2 } });
  const left = await at.database.sql`select id::int as id from leads where erased_at is null order by id`;
  expect(left.map(({ id }) => id)).toEqual([byPhone, other]);
  expect(
    await at.database.sql`select 1 from consent_erasures e join consent_records r on r.id = e.record_id
    where r.lead_id = ${purgedId}`,
  ).toHaveLength(0);
});

test('an erasure is refused if the confirmed leads differ from the found ones', async () => {
  await using at = await setUpIntake();
  const { leadIds, purgedId } = await insertPerson(at);
  const [id, byPhone, byMail] = leadIds;
  const staffAction = staffActionOn(at.database);
  const asked = { leadId: id, reason: 'asked', samePhone: [purgedId, byPhone] } as const;
  const input = { ...asked, samePhone: [...asked.samePhone] };
  for (const shown of [[id], [id, byMail + 100], []])
    await expect(erasePerson(staffAction, { ...input, shown })).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await at.database.sql`select 1 from leads where erased_at is not null`).toHaveLength(0);
  expect((await erasePerson(staffAction, { ...input, shown: [id, byMail] })).leadIds).toHaveLength(4);
});

test('no lead or suppression refers to an erased lead, and it refers to no other', async () => {
  await using at = await setUpIntake();
  const { sql } = at.database;
  const send = async (over: object): Promise<number> => (await at.send({ ...mina, ...over })).body.id;
  const before = await send({ first_name: 'Otto', email: 'otto@mail.example' });
  const erased = await send({});
  const after = await send({ first_name: 'Olga', email: 'olga@mail.example' });
  await sql`update leads set duplicate_of = ${erased} where id = ${after}`;
  const links = () =>
    sql`select id::int as id, duplicate_of::int as to from leads where duplicate_of is not null order by id`;
  expect([...(await links())]).toEqual([
    { id: erased, to: before },
    { id: after, to: erased },
  ]);
  expect(
    (await erasePerson(staffActionOn(at.database), { leadId: erased, reason: 'asked' })).leadIds,
  ).toEqual([erased]);
  expect([...(await links())]).toEqual([]);
  expect([...(await sql`select distinct lead_id from suppressions`)]).toEqual([{ lead_id: null }]);
});

test('a lead sent during the erasure of its person waits for it and is no repeat', async () => {
  await using at = await setUpIntake();
  const { sql } = at.database;
  const { id } = (await at.send(mina)).body;
  const waiting = async (): Promise<number> => {
    const rows = await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return rows.length;
  };
  // An erasure writes to the audit log last.
  const holder = await sql.reserve();
  await holder`begin`;
  await holder`lock table audit_log in exclusive mode`;
  const erasing = erasePerson(staffActionOn(at.database, at.clock), { leadId: id, reason: 'asked' });
  await waitUntil(async () => (await waiting()) === 1);
  const sending = at.send({ ...mina, first_name: 'Mina' });
  await waitUntil(async () => (await waiting()) === 2);
  await holder`rollback`;
  holder.release();
  expect((await erasing).leadIds).toEqual([id]);
  expect(await at.lead((await sending).body.id)).toMatchObject({ first_name: 'Mina', duplicate_of: null });
});
