import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '#server/db/connect.ts';
import { startEmbedded } from '#scripts/embeddedPostgres/start.ts';
import { prepareDatabase } from '#server/startup/prepareDatabase.ts';
import { seedSampleData, sampleHosts } from '#scripts/sampleData/sampleProviders.ts';
import { startServer } from '#test/support/serverProcess.ts';
import { type InitialScripts, initialBytesMax, initialScripts } from './javascript.ts';
import { calibratedSlowdown, type PageScore, scorePage, usualSlowdown } from './lighthouse.ts';
import { median } from './load.ts';
import { ensureBuilt } from '#scripts/build.ts';

const runs = 5;
const bars = {
  performance: 95,
  accessibility: 100,
  'best-practices': 100,
  seo: 100,
  layoutShift: 0,
  scriptBytes: initialBytesMax,
} as const;

/** Both name `/` as their canonical page, which Lighthouse counts as a fault wherever it is. */
const seoBars: Record<string, number> = { '/start': 92, '/homev2': 92 };

/** The map's page paints a drawing of the whole country. */
const performanceBars: Record<string, number> = { '/map': 90 };

interface PageFigures {
  page: string;
  median: Omit<PageScore, 'faults' | 'machine'>;
  scripts: InitialScripts;
  faults: string[];
  met: boolean;
}

/** Lighthouse rounds a shift of nothing visible to some thousandths of a percent. */
const shiftCounts = 0.0005;

function buildFigures(page: string, scored: PageScore[], scripts: InitialScripts): PageFigures {
  const of = (read: (score: PageScore) => number): number => median(scored.map(read));
  const scores = {
    performance: of((score) => score.scores.performance),
    accessibility: of((score) => score.scores.accessibility),
    'best-practices': of((score) => score.scores['best-practices']),
    seo: of((score) => score.scores.seo),
  };
  const layoutShift = of((score) => score.layoutShift);
  return {
    page,
    median: {
      scores,
      layoutShift,
      largestPaintMs: of((score) => score.largestPaintMs),
      blockedMs: of((score) => score.blockedMs),
    },
    scripts,
    faults: [...new Set(scored.flatMap(({ faults }) => faults))],
    met:
      scores.performance >= (performanceBars[page] ?? bars.performance) &&
      scores.accessibility >= bars.accessibility &&
      scores['best-practices'] >= bars['best-practices'] &&
      scores.seo >= (seoBars[page] ?? bars.seo) &&
      layoutShift <= bars.layoutShift + shiftCounts &&
      scripts.bytes <= bars.scriptBytes &&
      !scripts.hasMapCode,
  };
}

async function measure(page: string, address: string, slowdown: number): Promise<PageFigures> {
  const scored: PageScore[] = [];
  for (let run = 0; run < runs; run++) scored.push(await scorePage(address, slowdown));
  return buildFigures(page, scored, await initialScripts(address));
}

async function report(figures: PageFigures[], machine: number, slowdown: number): Promise<void> {
  console.table(
    figures.map(({ page, median: { scores, layoutShift, largestPaintMs, blockedMs }, scripts, met }) => ({
      page,
      ...scores,
      shift: layoutShift.toFixed(3),
      'largest paint': `${largestPaintMs} ms`,
      blocked: `${blockedMs} ms`,
      scripts: `${(scripts.bytes / 1000).toFixed(1)} KB${scripts.hasMapCode ? ' with map code' : ''}`,
      met: met ? 'yes' : 'NO',
    })),
  );
  for (const { page, faults } of figures) if (faults.length > 0) console.log(`${page}: ${faults.join(', ')}`);
  console.log(`This machine's index is ${Math.round(machine)}, so it was slowed down ${slowdown} times.`);
  await mkdir('bench-results', { recursive: true });
  const file = join('bench-results', `pages-${new Date().toISOString().replaceAll(':', '-')}.json`);
  await writeFile(
    file,
    JSON.stringify({ bars, seoBars, performanceBars, runs, machine, slowdown, figures }, null, 2),
  );
  console.log(`Written to ${file}`);
  process.exitCode = figures.every(({ met }) => met) ? 0 : 1;
}

/**
 * Lighthouse, mobile, median of five, and the scripts of the pages visitors land on, against the bars. `npm run
 * bench:pages -- / /start` measures only those; `microsite` stands for a provider's. How much the processor is slowed
 * down follows from its speed.
 */
async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  await ensureBuilt();
  const folder = await mkdtemp(join(tmpdir(), 'bench-pages-'));
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  // Where root runs it, Postgres is another user, who must be let in.
  await chmod(folder, 0o755);
  const embedded = await startEmbedded({ dataDir: join(folder, 'data') });
  cleanUp.defer(() => embedded.stop());
  await prepareDatabase({ url: embedded.url, ownerUrl: null });
  const connection = connect(embedded.url, { applicationName: 'bench-pages', max: 2 });
  await seedSampleData(connection.db);
  await connection.close();
  const server = cleanUp.use(await startServer({ DATABASE_URL: embedded.url }));
  const [providerHost = ''] = sampleHosts();
  // Once unmeasured, to know the machine and to warm the server.
  const { machine } = await scorePage(`http://localhost:${server.port}/`, usualSlowdown);
  const slowdown = calibratedSlowdown(machine);
  const figures: PageFigures[] = [];
  for (const page of ['/', 'microsite', '/homev2', '/map', '/start', '/clinics', '/privacy']) {
    if (wanted.length > 0 && !wanted.includes(page)) continue;
    const address =
      page === 'microsite' ? `${providerHost}:${server.port}/` : `localhost:${server.port}${page}`;
    console.log(`  … ${page}`);
    figures.push(await measure(page, `http://${address}`, slowdown));
  }
  await report(figures, machine, slowdown);
}

await main();
