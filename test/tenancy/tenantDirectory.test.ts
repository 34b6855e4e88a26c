import { expect, test } from 'vitest';
import type { TenantDirectory } from '#server/tenant/site.ts';
import { providerRow, insertProvider } from '../support/factories.ts';
import { providers } from '#server/db/schema/index.ts';
import { testDb } from '../support/testDb.ts';
import { killListeners, ownDirectory } from './directories.ts';
import { getName, readRecord } from '#test/support/tenantView.ts';
import { waitFor } from '#test/support/waitFor.ts';
import { meets } from '#test/support/meets.ts';

/**
 * Clinics are promised that a change is live within a second. A busy machine may take longer, but never so long as a
 * host that was unknown stays so (5 s).
 */
const live = { interval: 5 };

function getHost({ domain }: { domain: string | null }): string {
  if (domain === null) throw new Error('the clinic has no host');
  return domain;
}

async function nameAt(tenants: TenantDirectory, host: string): Promise<string | undefined> {
  return getName(await tenants.findByHost(host));
}

test('changes by SQL appear in both processes', async () => {
  meets('D.people.19 D.hosts.36');
  await using database = await testDb();
  const { sql, db } = database;
  await using first = await ownDirectory(database.url);
  await using second = await ownDirectory(database.url);
  const everywhere = (check: (tenants: TenantDirectory) => Promise<void>): Promise<void> =>
    waitFor(async () => {
      await check(first.tenants);
      await check(second.tenants);
    }, live);

  const provider = await insertProvider(db, { name: 'Before', logoUrl: '/logo-1.svg' });
  const host = getHost(provider);
  await everywhere(async (tenants) => {
    expect(await nameAt(tenants, host)).toBe('Before');
    expect(tenants.hasHost(host)).toBe(true);
  });

  await sql`update providers set name = 'After', logo_url = '/logo-2.svg' where id = ${provider.id}`;
  await everywhere(async (tenants) => {
    expect(readRecord(await tenants.findByHost(host))).toMatchObject({
      name: 'After',
      logoUrl: '/logo-2.svg',
    });
    expect(getName(await tenants.findById(provider.id))).toBe('After');
  });

  await sql`update providers set domain = 'moved.example.com' where id = ${provider.id}`;
  await everywhere(async (tenants) => {
    expect(await nameAt(tenants, 'moved.example.com')).toBe('After');
    expect(await tenants.findByHost(host)).toBeNull();
    expect(tenants.hasHost(host)).toBe(false);
  });

  await sql`update providers set status = 'f' where id = ${provider.id}`;
  await everywhere(async (tenants) => {
    expect(await tenants.findByHost('moved.example.com')).toBeNull();
    expect(await tenants.findById(provider.id)).toBeNull();
    expect(tenants.hasHost('moved.example.com')).toBe(false);
  });

  await sql`update providers set status = 't', domain = null where id = ${provider.id}`;
  await everywhere(async (tenants) => {
    expect(readRecord(await tenants.findById(provider.id))).toMatchObject({ name: 'After', domain: null });
  });

  await sql`delete from providers where id = ${provider.id}`;
  await everywhere(async (tenants) => expect(await tenants.findById(provider.id)).toBeNull());
});

test('providers that swap their hosts in one transaction get each other’s', async () => {
  await using database = await testDb();
  const [one, two] = [await insertProvider(database.db), await insertProvider(database.db)];
  await using own = await ownDirectory(database.url);
  await database.sql.begin(async (tx) => {
    await tx`update providers set domain = null where id = ${one.id}`;
    await tx`update providers set domain = ${getHost(one)} where id = ${two.id}`;
    await tx`update providers set domain = ${getHost(two)} where id = ${one.id}`;
  });
  await waitFor(async () => {
    expect((await own.tenants.findByHost(getHost(one)))?.id).toBe(two.id);
    expect((await own.tenants.findByHost(getHost(two)))?.id).toBe(one.id);
  }, live);
});

test('a change of many providers and a truncation appear, too', async () => {
  await using database = await testDb();
  const { sql, db } = database;
  await using own = await ownDirectory(database.url);
  await db.insert(providers).values(Array.from({ length: 450 }, () => providerRow()));
  await waitFor(() => expect(own.tenants.stats().providers).toBe(450), live);
  await sql`update providers set name = 'All renamed'`;
  const [row] = await sql<{ domain: string }[]>`select domain from providers order by id desc limit 1`;
  await waitFor(
    async () => expect(await nameAt(own.tenants, getHost(row ?? { domain: null }))).toBe('All renamed'),
    live,
  );
  await sql`truncate providers cascade`;
  await waitFor(() => expect(own.tenants.stats().providers).toBe(0), live);
});

test('a storm of writes while the index is being read loses none of them', async () => {
  await using database = await testDb();
  const { sql, db } = database;
  await db.insert(providers).values(Array.from({ length: 300 }, () => providerRow()));
  const provider = await insertProvider(db, { name: 'v0' });
  await using own = await ownDirectory(database.url);
  const last = 40;
  for (let version = 1; version <= last; version += 1) {
    await sql`update providers set name = ${`v${version}`}, domain = ${`v${version}.example.com`} where id = ${provider.id}`;
    if (version % 5 === 0) await sql`notify providers_changed, '*'`;
    if (version % 16 === 0) await killListeners(database);
    void own.tenants.findById(provider.id);
  }
  await waitFor(async () => expect(await nameAt(own.tenants, `v${last}.example.com`)).toBe(`v${last}`), live);
  expect(own.tenants.hasHost(`v${last - 1}.example.com`)).toBe(false);
});

test('a process whose listening connection is lost reads what it missed', async () => {
  await using database = await testDb();
  const { sql, db } = database;
  const provider = await insertProvider(db, { name: 'Before' });
  await using first = await ownDirectory(database.url);
  await using second = await ownDirectory(database.url);
  const host = getHost(provider);
  for (const { tenants } of [first, second]) expect(await nameAt(tenants, host)).toBe('Before');

  expect(await killListeners(database)).toBe(2);
  await sql`update providers set name = 'Missed' where id = ${provider.id}`;
  const added = await insertProvider(db);
  await waitFor(async () => {
    for (const { tenants } of [first, second]) {
      expect(await nameAt(tenants, host)).toBe('Missed');
      expect((await tenants.findByHost(getHost(added)))?.id).toBe(added.id);
      expect(tenants.stats().current).toBe(true);
    }
  }, live);

  await sql`update providers set name = 'Heard' where id = ${provider.id}`;
  await waitFor(async () => {
    for (const { tenants } of [first, second]) expect(await nameAt(tenants, host)).toBe('Heard');
  }, live);
});

test('10,000 unknown hosts and ids cost no query and no memory', async () => {
  meets('D.hosts.38');
  await using database = await testDb();
  const provider = await insertProvider(database.db);
  await using own = await ownDirectory(database.url);
  const before = own.tenants.stats();
  own.statements.length = 0;
  for (let index = 0; index < 10_000; index += 1) {
    expect(await own.tenants.findByHost(`host-${index}.evil.example`)).toBeNull();
    expect(await own.tenants.findById(provider.id + 1 + index)).toBeNull();
  }
  expect(own.statements).toEqual([]);
  expect(own.tenants.stats()).toEqual(before);
  expect(before).toEqual({ providers: 1, records: 1, misses: 0, current: true });
});

test('while disconnected, an unknown host is queried once in five seconds', async () => {
  meets('D.hosts.39');
  await using database = await testDb();
  let nowMs = 1_000_000;
  await using own = await ownDirectory(database.url, { started: false, missesMax: 100, now: () => nowMs });
  const host = 'soon.example.com';
  for (let time = 0; time < 3; time += 1) expect(await own.tenants.findByHost(host)).toBeNull();
  expect(own.statements).toHaveLength(1);

  const provider = await insertProvider(database.db, { domain: host });
  expect(await own.tenants.findByHost(host)).toBeNull();
  nowMs += 5_001;
  expect((await own.tenants.findByHost(host))?.id).toBe(provider.id);
  expect((await own.tenants.findById(provider.id))?.id).toBe(provider.id);

  for (let index = 0; index < 300; index += 1) await own.tenants.findByHost(`host-${index}.evil.example`);
  expect(own.tenants.stats().misses).toBe(100);
});

test('while disconnected, a flood of unknown hosts causes few concurrent queries', async () => {
  await using database = await testDb();
  await using own = await ownDirectory(database.url, { started: false });
  const answers = await Promise.all(
    Array.from({ length: 5_000 }, async (_, index) => own.tenants.findByHost(`host-${index}.evil.example`)),
  );
  expect(answers.every((answer) => answer === null)).toBe(true);
  expect(own.statements.length).toBeLessThanOrEqual(50);
});

test('records in memory are bounded, and a dropped one is read again', async () => {
  await using database = await testDb();
  const rows = await database.db
    .insert(providers)
    .values(Array.from({ length: 30 }, () => providerRow()))
    .returning();
  await using own = await ownDirectory(database.url, { recordsMax: 10 });
  for (const provider of [...rows, ...rows])
    expect((await own.tenants.findByHost(getHost(provider)))?.id).toBe(provider.id);
  expect(own.tenants.stats()).toMatchObject({ providers: 30, records: 10 });
});

test('a hundred first visitors of one provider share one query', async () => {
  await using database = await testDb();
  const rows = await database.db
    .insert(providers)
    .values(Array.from({ length: 3 }, () => providerRow()))
    .returning();
  await using own = await ownDirectory(database.url, { recordsMax: 2 });
  const [provider] = rows;
  own.statements.length = 0;
  const visits = await Promise.all(
    Array.from({ length: 100 }, async () => own.tenants.findByHost(getHost(provider ?? { domain: null }))),
  );
  expect(new Set(visits.map((view) => view?.id))).toEqual(new Set([provider?.id]));
  expect(own.statements).toHaveLength(1);
});

test('hosts of providers are known from memory', async () => {
  meets('D.hosts.43');
  await using database = await testDb();
  await database.sql`
    insert into providers (name, zip_code, email, domain)
    select 'Clinic ' || n, '80202', 'clinic@example.com', 'c' || n || '.example.com' from generate_series(1, 3000) n`;
  await using own = await ownDirectory(database.url);
  expect(own.tenants.stats()).toMatchObject({ providers: 3_000, records: 0 });
  own.statements.length = 0;
  let known = 0;
  for (let index = 1; index <= 6_000; index += 1)
    if (own.tenants.hasHost(`c${index}.example.com`)) known += 1;
  expect(known).toBe(3_000);
  expect(own.statements).toEqual([]);
});

test('start waits for a current directory; stop works without the database', async () => {
  await using unreachable = await ownDirectory('postgres://nobody@127.0.0.1:9/none?sslmode=disable', {
    started: false,
  });
  const starting = unreachable.tenants.start();
  expect(await unreachable.tenants.findByHost('any.example.com')).toBeNull();
  expect(unreachable.tenants.stats().current).toBe(false);
  await unreachable.tenants.stop();
  await starting;
});

test('a change of many neighbors reads only them, and other records stay', async () => {
  await using database = await testDb();
  const { sql, db } = database;
  const kept = await insertProvider(db, { name: 'Kept' });
  await db.insert(providers).values(Array.from({ length: 500 }, () => providerRow({ domain: null })));
  await using own = await ownDirectory(database.url);
  const { tenants, statements } = own;
  expect(tenants.stats().providers).toBe(501);
  expect(await nameAt(tenants, getHost(kept))).toBe('Kept');
  statements.length = 0;
  await sql`
    update providers set domain = 'many-' || id || '.example.com', status = case when id % 2 = 0 then 't' else 'f' end
    where id > ${kept.id}`;
  await waitFor(() => expect(tenants.stats().providers).toBe(251), live);
  expect(tenants.hasHost(`many-${kept.id + 1}.example.com`)).not.toBe(
    tenants.hasHost(`many-${kept.id + 2}.example.com`),
  );
  expect(await nameAt(tenants, getHost(kept))).toBe('Kept');
  expect(statements.length).toBeGreaterThan(0);
  expect(statements.filter((statement) => !/any\(|\bin \(/.test(statement))).toEqual([]);
});
