import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connect } from '#server/db/connect.ts';
import { startEmbedded } from '#scripts/embeddedPostgres/start.ts';
import { prepareDatabase } from '#server/startup/prepareDatabase.ts';
import { adminList } from './admin.ts';
import { anonymousCosts } from './anonymous.ts';
import { benchProviders, benchLeadPublicId, benchSecretKey } from './anonymousRequests.ts';
import { addAdminData } from './adminData.ts';
import { adminInsights } from './insights.ts';
import { idleStreams } from './idleStreams.ts';
import { dashboardInteractions } from './interactions.ts';
import { addTenants } from './tenants.ts';
import { type Figure, passes } from './figure.ts';
import { readReport, report } from './report.ts';
import { pageJavaScript } from './javascript.ts';
import { leadFigures } from './leads.ts';
import { deliveriesDrained } from './deliveries.ts';
import { millionProviders } from './millionProviders.ts';
import { cachedPage, landingHtml, manyTenants, pageTemplates } from './pages.ts';
import { insertAgreed } from '#test/support/leadRows.ts';
import { startServer } from '#test/support/serverProcess.ts';
import { ensureBuilt } from '#scripts/build.ts';

const say = (line: string): void => console.log(`  … ${line}`);

/** A smaller size than the real one, for trying a benchmark out. */
function getSize(name: string, usual: number): number {
  return Number(process.env[name] ?? usual);
}

/**
 * Every figure in one command, each with its baseline from the same run. `npm run bench -- pages leads` runs a part;
 * `admin` is `list` and `insights`. `npm run bench -- --compare <file>` prints what moved since that report.
 */
async function main(): Promise<void> {
  const { positionals: wanted, values } = parseArgs({
    allowPositionals: true,
    options: { compare: { type: 'string' } },
  });
  // Read first: a wrong name must not cost a run.
  const earlier = values.compare === undefined ? null : await readReport(values.compare);
  const wants = (part: string): boolean => wanted.length === 0 || wanted.includes(part);
  await ensureBuilt();
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  // Where root runs it, Postgres is another user, who must be let in.
  await chmod(folder, 0o755);
  const figures: Figure[] = [];
  try {
    const embedded = await startEmbedded({ dataDir: join(folder, 'data') });
    await prepareDatabase({ url: embedded.url, ownerUrl: null });
    const connection = connect(embedded.url, { applicationName: 'bench', max: 4 });
    try {
      if (wants('pages')) {
        await using server = await startServer({ DATABASE_URL: embedded.url });
        say('cached page');
        figures.push(await cachedPage(server), await landingHtml(server), ...(await pageJavaScript()));
      }
      if (wants('streams')) {
        const { url: databaseUrl, location: dataDir } = embedded;
        figures.push(...(await idleStreams({ db: connection.db, databaseUrl, dataDir, say })));
        await connection.sql`truncate staff_accounts cascade`;
      }
      if (wants('interactions')) {
        figures.push(...(await dashboardInteractions(connection.db, embedded.url, say)));
        await connection.sql`truncate leads, providers, staff_accounts restart identity cascade`;
      }
      if (wants('anonymous')) {
        say('routes that anyone may ask for');
        await addTenants(connection.db, benchProviders);
        await insertAgreed(connection.db, { publicId: benchLeadPublicId });
        await using server = await startServer({
          DATABASE_URL: embedded.url,
          DATA_DIR: join(folder, 'anonymous'),
          SECRET_KEYS: benchSecretKey,
          // Each request comes from a network of its own.
          TRUSTED_PROXIES: '1',
          LOG_LEVEL: 'error',
          MAP_TILES_URL: 'off',
          WORKER: 'off',
        });
        figures.push(...(await anonymousCosts(server)));
        await connection.sql`truncate leads, providers restart identity cascade`;
      }
      if (wants('millionProviders')) {
        figures.push(
          ...(await millionProviders({
            db: connection.db,
            count: getSize('BENCH_MILLION_PROVIDERS', 1_000_000),
            startServer: () =>
              startServer({ DATABASE_URL: embedded.url, TRUSTED_PROXIES: '1', MAP_TILES_URL: 'off' }),
            say,
          })),
        );
        await connection.sql`truncate leads, providers restart identity cascade`;
      }
      if (wants('templates')) {
        say('tenant pages with and without templates');
        const hosts = await addTenants(connection.db, 10_000);
        await using server = await startServer({ DATABASE_URL: embedded.url });
        await using plain = await startServer({ DATABASE_URL: embedded.url, PAGE_TEMPLATES: 'off' });
        figures.push(await pageTemplates(server, plain, hosts));
        await connection.sql`truncate leads, providers restart identity cascade`;
      }
      if (wants('tenants')) {
        say('adding 100,000 tenants');
        const hosts = await addTenants(connection.db, 100_000);
        await using server = await startServer({ DATABASE_URL: embedded.url });
        say('tenant pages');
        figures.push(...(await manyTenants(server, hosts)));
      }
      if (wants('leads')) {
        figures.push(
          ...(await leadFigures({
            databaseUrl: embedded.url,
            dataDir: embedded.location,
            storedLeads: getSize('BENCH_STORED_LEADS', 5_000_000),
            addLeads: (leads) => addAdminData(connection.db, { leads, providers: 20_000 }),
            say,
          })),
        );
        await connection.sql`truncate leads, providers restart identity cascade`;
      }
      if (wants('deliveries')) {
        figures.push(...(await deliveriesDrained(embedded.url, say)));
        await connection.sql`truncate leads cascade`;
      }
      const [lists, insights] = ['list', 'insights'].map((part) => wants('admin') || wanted.includes(part));
      if (lists || insights) {
        const size = { leads: getSize('BENCH_ADMIN_LEADS', 5_000_000), providers: 20_000 };
        await connection.sql`truncate leads, providers restart identity cascade`;
        say(
          `adding ${size.leads.toLocaleString('en')} leads and ${size.providers.toLocaleString('en')} providers`,
        );
        await addAdminData(connection.db, size);
        if (lists) figures.push(...(await adminList(embedded.url, size.leads, say)));
        if (insights) figures.push(...(await adminInsights(embedded.url, size.leads, say)));
      }
    } finally {
      await connection.close();
      await embedded.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  await report(figures, earlier);
  process.exitCode = figures.every(passes) ? 0 : 1;
}

await main();
