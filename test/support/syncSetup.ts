import { asc } from 'drizzle-orm';
import { parseConfig } from '#server/config/config.ts';
import { type ProviderRow, providers } from '#server/db/schema/index.ts';
import { createFieldMap } from '#server/config/fieldMap.ts';
import { loadZipTable } from '#server/features/matching/zipTable.ts';
import { runSync, type SyncOrder, type SyncServices } from '#server/features/sync/runSync.ts';
import { createWordPressSource, type WordPressOptions } from '#server/features/sync/wordpressSource.ts';
import { runFromWordPress } from '#server/features/sync/wordpressRun.ts';
import { createLog } from '#server/log.ts';
import type { SyncRunOutcome } from '#shared/admin/sync.ts';
import type { Source } from '#server/features/sync/source.ts';
import { collect } from './collect.ts';
import { testDb, type TestDb } from './testDb.ts';
import { type FeedRecord, type WordPressFeed, wordpressFeed } from '#scripts/demo/wordpressFeed.ts';

/** Short pauses make retries fast. Timeouts stay long enough for a busy machine. */
export const hurried = { timeoutMs: 15_000, pausesMs: [5, 5], waitMaxMs: 3_000, bytesMax: 1024 * 1024 };

/** A source of a feed, without pauses. */
export function getSource(feed: { url: string }, options: Partial<WordPressOptions> = {}) {
  return createWordPressSource({
    url: feed.url,
    type: 'provider',
    credentials: null,
    fields: createFieldMap({}),
    modifiedAfter: null,
    userAgent: 'clinic-leads-sync',
    patience: hurried,
    ...options,
  });
}

/** The ids of all records that a source returns. */
export async function listIds(source: Source): Promise<number[]> {
  const pages = await collect(source.pages());
  return pages.flatMap(({ records }) => records.map((record) => Number(Reflect.get(Object(record), 'id'))));
}

/** A WordPress-like feed, a database without providers, and the sync between them. */
export interface SyncSetup extends AsyncDisposable {
  feed: WordPressFeed;
  database: TestDb;
  services: SyncServices;
  run: (order?: Partial<Parameters<typeof runFromWordPress>[1]>) => Promise<SyncRunOutcome>;
  /** The same with any source. */
  runFrom: (source: SyncOrder['source'], order?: Partial<SyncOrder>) => Promise<SyncRunOutcome>;
  providers: () => Promise<ProviderRow[]>;
}

export async function setUpSync(
  records: FeedRecord[] = [],
  env: Record<string, string> = {},
): Promise<SyncSetup> {
  const feed = await wordpressFeed(records);
  const database = await testDb();
  const config = parseConfig({ WORDPRESS_URL: feed.url, MAIN_DOMAINS: 'main.example', ...env });
  const services: SyncServices = {
    config,
    db: database.db,
    log: createLog('silent'),
    now: () => new Date(),
    zipTable: loadZipTable(),
  };
  const usual = { dryRun: false, force: false, startedBy: 'Test' };
  return {
    feed,
    database,
    services,
    run: (order = {}) => runFromWordPress(services, { ...usual, ...order }),
    runFrom: (source, order = {}) => runSync(services, { ...usual, kind: 'full', source, ...order }),
    providers: () => database.db.select().from(providers).orderBy(asc(providers.wordpressId)),
    async [Symbol.asyncDispose]() {
      await feed[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
