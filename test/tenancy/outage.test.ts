import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '#server/db/connect.ts';
import { type EmbeddedPostgres, startEmbedded } from '#scripts/embeddedPostgres/start.ts';
import { migrate } from '#server/db/migrate.ts';
import { insertProvider } from '../support/factories.ts';
import { databaseLink } from './databaseLink.ts';
import { ownDirectory } from './directories.ts';
import { getName } from '#test/support/tenantView.ts';
import { scratchRoot } from '#test/support/scratchRoot.ts';
import { waitFor } from '#test/support/waitFor.ts';
import { meets } from '#test/support/meets.ts';

// A cluster of its own: it is stopped and started here, which the shared one must not be.
let dataDir: string;
let server: EmbeddedPostgres;

beforeAll(async () => {
  dataDir = await mkdtemp(join(scratchRoot(), 'clinic-leads-outage-'));
  await chmod(dataDir, 0o755); // as root the server runs as its own user, who must get in
  server = await startEmbedded({ dataDir, durable: false });
  await migrate(server.url);
});

afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
  const place = dirname(server.location);
  if (relative(dataDir, place).startsWith('..')) await rm(place, { recursive: true, force: true });
});

async function written(work: (connection: ReturnType<typeof connect>) => Promise<void>): Promise<void> {
  const connection = connect(server.url, { applicationName: 'test-writer', max: 1 });
  try {
    await work(connection);
  } finally {
    await connection.close();
  }
}

test('during an outage, known providers are served; then missed changes are read', async () => {
  meets('D.hosts.40');
  await written(async ({ db }) => {
    await insertProvider(db, { name: 'Kept', domain: 'kept.example.com' });
    await insertProvider(db, { name: 'Gone soon', domain: 'gone-soon.example.com' });
  });
  await using link = await databaseLink(server.url);
  await using first = await ownDirectory(link.url(server.url));
  await using second = await ownDirectory(link.url(server.url));
  await using forgetful = await ownDirectory(link.url(server.url), { recordsMax: 1 });
  const both = [first.tenants, second.tenants];
  expect(getName(await forgetful.tenants.findByHost('kept.example.com'))).toBe('Kept');

  await server.stop();
  await waitFor(() => expect(both.map((tenants) => tenants.stats().current)).toEqual([false, false]));
  for (const tenants of both) {
    expect(getName(await tenants.findByHost('kept.example.com'))).toBe('Kept');
    expect(getName(await tenants.findByHost('gone-soon.example.com'))).toBe('Gone soon');
    expect(tenants.hasHost('kept.example.com')).toBe(true);
    expect(await tenants.findByHost('nobody.example.com')).toBeNull();
  }
  expect(getName(await forgetful.tenants.findByHost('kept.example.com'))).toBe('Kept');
  await expect(forgetful.tenants.findByHost('gone-soon.example.com')).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });

  await Promise.all(
    Array.from({ length: 10_000 }, async (_, index) => {
      expect(await first.tenants.findByHost(`host-${index}.evil.example`)).toBeNull();
    }),
  );
  expect(first.tenants.stats().misses).toBe(0);

  server = await startEmbedded({ dataDir, durable: false });
  await written(async ({ sql, db }) => {
    await sql`update providers set name = 'Renamed' where domain = 'kept.example.com'`;
    await sql`update providers set status = 'f' where domain = 'gone-soon.example.com'`;
    await insertProvider(db, { name: 'New', domain: 'new.example.com' });
  });
  link.lead(server.url);
  await waitFor(
    async () => {
      for (const tenants of both) {
        expect(getName(await tenants.findByHost('kept.example.com'))).toBe('Renamed');
        expect(getName(await tenants.findByHost('new.example.com'))).toBe('New');
        expect(await tenants.findByHost('gone-soon.example.com')).toBeNull();
      }
    },
    { interval: 20 },
  );
  await written(async ({ sql }) => {
    await sql`update providers set name = 'Renamed again' where domain = 'kept.example.com'`;
  });
  await waitFor(
    async () => {
      for (const tenants of both)
        expect(getName(await tenants.findByHost('kept.example.com'))).toBe('Renamed again');
    },
    { interval: 5 },
  );
});

test('queries work soon after the database is back, after any number of failures', async () => {
  const deadEnd = 'postgres://127.0.0.1:9';
  await using link = await databaseLink(server.url);
  const { sql, close } = connect(link.url(server.url), { applicationName: 'test-pool', max: 2 });
  try {
    await sql`select 1`;
    link.lead(deadEnd);
    link.thaw();
    for (let attempt = 0; attempt < 14; attempt += 1)
      await expect(sql`select 1`).rejects.toHaveProperty('code');
    link.lead(server.url);
    // The driver's own pause would have grown to 20 s by now; ours ends at one.
    await waitFor(() => sql`select 1`, { interval: 10 });
  } finally {
    await close();
  }
});
