import { sql } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';

/** How many of each to make. */
export interface AdminSize {
  leads: number;
  providers: number;
}

const firstNames = [
  ...['James', 'Robert', 'John', 'Michael', 'David', 'William', 'Richard', 'Joseph', 'Thomas', 'Christopher'],
  ...['Charles', 'Daniel', 'Matthew', 'Anthony', 'Mark', 'Donald', 'Steven', 'Andrew', 'Paul', 'Joshua'],
  ...['Kenneth', 'Kevin', 'Brian', 'Timothy', 'Ronald', 'Jason', 'George', 'Edward', 'Jeffrey', 'José'],
];
const nameStarts = [
  'Ash',
  'Bright',
  'Copper',
  'Dun',
  'Elms',
  'Fair',
  'Glass',
  'Hart',
  'Iron',
  'Jun',
  'Kings',
  'Lang',
  'Mill',
  'North',
];
const nameMiddles = ['', 'er', 'ing', 'en', 'le', 'or', 'y'];
/** One lead in a thousand each. */
const rareNames = ['Núñez', 'O’Connor', 'Łukasz'];
const nameEnds = [
  'grove',
  'water',
  'gate',
  'mere',
  'worth',
  'brook',
  'well',
  'field',
  'ford',
  'ton',
  'ley',
  'man',
  'son',
  'by',
];

const array = (texts: readonly string[]) =>
  sql`${JSON.stringify(texts).replace('[', '{').replace(']', '}')}::text[]`;

/**
 * Fills an empty, migrated database with providers and with leads of the last three years, varied as real ones are: 1,400
 * surnames, a tenth unmatched, one in fifty quarantined, one in twelve a repeat, a third left on the site of any
 * clinic, one in 500 has a follow-up date. Indexes are made after the rows, which takes a tenth of the time.
 */
export async function addAdminData(db: Database, { leads, providers }: AdminSize): Promise<void> {
  await addProviders(db, providers);
  const dropped = await dropIndexes(db, 'leads');
  // Every reference is right by how it is made; looking each up would take most of the time.
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`select setseed(0.5)`);
    await tx.execute(sql`
    with names as materialized (select ${array(firstNames)} as first, ${array(nameStarts)} as a, ${array(nameMiddles)} as b, ${array(nameEnds)} as c, ${array(rareNames)} as rare),
    zips as materialized (select row_number() over (order by zip) - 1 as number, zip from zip_centroids where length(zip) = 5)
    insert into leads (id, first_name, last_name, email, phone, zip_code, provider_id, created_at, crm_sync_status, acceptance_message, acceptance_consent,
      acceptance_ip, outcome, delivery_failed, clinic_not_reached, site_provider_id, email_norm, phone_e164, zip5, match_method, match_reason, match_distance_miles, duplicate_of, quarantined_at, quarantine_reason, follow_up_on)
    select n, first, last, email, '(' || left(digits, 3) || ') ' || substr(digits, 4, 3) || '-' || right(digits, 4), zip, provider_id, at,
      case when dice < 0.05 then 'failed' when dice < 0.2 then 'pending' else 'success' end,
      'I consent to calls, emails, or texts from a provider. Reply STOP to opt out.', true, '203.0.113.9', case when n % 200 = 0 then 'wrong-area' when n % 4 = 0 then 'booked' when n % 6 = 0 then 'reached' end, n % 100 = 0 and n % 1000 <> 0, n % 500 = 250, case when n % 3 = 0 then provider_id end, email, '+1' || digits, zip,
      case when provider_id is null then 'none' else 'nearest' end, 'Nearest active provider, 12.3 miles from the center of ' || zip || '.',
      case when provider_id is null then null else 12.3 end, case when n > 100 and n % 12 = 0 then 1 + n % 100 end,
      case when n % 50 = 0 then at end, case when n % 50 = 0 then 'honeypot' end, case when n % 500 = 1 then at::date + 3 end
    from (select n, dice, at, first, last, zip, lower(first || '.' || last || n) || '@mail' || n % 40 || '.example' as email,
        lpad((2000000000 + (n * 7919) % 7999999999)::text, 10, '0') as digits,
        case when n % 10 > 0 then 1 + (random() * (${providers} - 1))::bigint end as provider_id
      from (select n, random() as dice, now() - interval '3 years' + n * (interval '3 years' / ${leads}) as at,
          first[1 + (random() * (cardinality(first) - 1))::int] as first,
          case when n % 1000 < cardinality(rare) then rare[1 + n % 1000] else a[1 + (random() * (cardinality(a) - 1))::int] || b[1 + (random() * (cardinality(b) - 1))::int] || c[1 + (random() * (cardinality(c) - 1))::int] end as last,
          zip
        from generate_series(1, ${leads}::bigint) n cross join names join zips on zips.number = (n * 7919) % (select count(*) from zips)) drawn) made order by n`);
  });
  await db.execute(sql`select setval('leads_id_seq', ${leads}::bigint)`);
  await db.execute(sql`set maintenance_work_mem = '512MB'`);
  for (const definition of dropped) await db.execute(sql.raw(definition));
  await db.execute(sql`vacuum (analyze) leads`);
  await db.execute(sql`checkpoint`);
}

async function addProviders(db: Database, count: number): Promise<void> {
  await db.execute(sql`
    with zips as materialized (select array_agg(zip order by zip) as list from zip_centroids where length(zip) = 5)
    insert into providers (name, practice_name, email, zip_code, phone, address, website, status)
    select 'Dr. Sample ' || n, 'Sample Clinic ' || n, 'clinic' || n || '@example.com', list[1 + (n * 31) % cardinality(list)], '(303) 555-0100',
      n || ' Sample Street', 'https://clinic' || n || '.example.com', case when n % 20 = 0 then 'f' else 't' end
    from generate_series(1, ${count}::int) n, zips`);
  await db.execute(sql`vacuum (analyze) providers`);
}

/**
 * A delivery to the CRM that failed for good, of one lead in a hundred; every tenth of them was retried. And for each
 * lead of the last two months the email that its provider got.
 */
export async function addListDeliveries(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`
      insert into deliveries (id, lead_id, channel, state, reason, attempts, created_at, finished_at)
      select gen_random_uuid(), id, 'crm', case when again then 'delivered' else 'failed' end, case when not again then 'The CRM answered 500.' end, 1, created_at + case when again then interval '1 hour' else '0' end, created_at + interval '2 hours'
      from leads cross join (values (false), (true)) as rounds (again) where id % 100 = 0 and (not again or id % 1000 = 0)`);
    await tx.execute(sql`
      insert into deliveries (id, lead_id, provider_id, channel, template, state, attempts, created_at, finished_at)
      select gen_random_uuid(), id, provider_id, 'provider-email', 'lead', 'delivered', 1, created_at, created_at + interval '5 seconds'
      from leads where created_at > now() - interval '60 days' and provider_id is not null and not clinic_not_reached`);
  });
  await db.execute(sql`vacuum (analyze) deliveries`);
}

/**
 * An attempt of each channel for every lead of `addAdminData`: one in twenty failed, the others took seconds, minutes
 * now and then. Without their deliveries, which nothing measured reads: foreign keys aren't checked here.
 */
export async function addDeliveryAttempts(db: Database): Promise<void> {
  const dropped = await dropIndexes(db, 'delivery_attempts');
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`
      insert into delivery_attempts (delivery_id, lead_id, channel, at, duration_ms, outcome, status)
      select gen_random_uuid(), id, channel, created_at + interval '1 second' * (1 + 5 * random() + 600 * random() ^ 20), (100 + 400 * random())::int,
        case when random() < 0.05 then 'failed' else 'delivered' end, 'HTTP 200'
      from leads cross join (values ('lead-email'), ('provider-email'), ('crm')) as channels (channel)`);
  });
  for (const definition of dropped) await db.execute(sql.raw(definition));
  await db.execute(sql`vacuum (analyze) delivery_attempts`);
  await db.execute(sql`checkpoint`);
}

/**
 * Outcomes reported for `addAdminData`'s leads: of half of those that have one, in an hour or so; one in twenty was out
 * of the area.
 */
export async function addOutcomes(db: Database): Promise<void> {
  const dropped = await dropIndexes(db, 'lead_outcomes');
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`
      insert into lead_outcomes (lead_id, provider_id, outcome, by, at)
      select id, provider_id, case when n < 0.5 then 'reached' when n < 0.8 then 'booked' when n < 0.95 then 'not-reachable' else 'wrong-area' end, 'Clinic',
        created_at + interval '1 second' * (60 + 3600 * random() ^ 3)
      from (select id, provider_id, created_at, random() as n from leads where provider_id is not null and id % 2 = 0) as reported`);
  });
  for (const definition of dropped) await db.execute(sql.raw(definition));
  await db.execute(sql`vacuum (analyze) lead_outcomes`);
}

/** Every index of a table but its key's, with what makes it again. */
async function dropIndexes(
  db: Database,
  table: 'leads' | 'delivery_attempts' | 'lead_outcomes',
): Promise<string[]> {
  const indexes = await db.execute<{ name: string; definition: string }>(
    sql`select indexname as name, indexdef as definition from pg_indexes
      where tablename = ${table} and not exists (select from pg_constraint where conname = indexname)`,
  );
  for (const { name } of indexes) await db.execute(sql`drop index ${sql.identifier(name)}`);
  return indexes.map(({ definition }) => definition);
}
