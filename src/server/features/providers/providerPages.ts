import { sql } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { providers } from '#server/db/schema/index.ts';

/** The maximum of one sitemap (sitemaps.org), less the main site's own pages. */
const onePartMax = 49_900;
/** Ids of one part of a larger sitemap. Parts are ranges of ids, so a new provider changes one part. */
const idsPerPart = 10_000;

/** Active providers without a domain, whose page is on the main site. */
export type ProviderPages =
  | { ids: readonly number[]; parts: null }
  /** Too many for one sitemap: the parts that have any. */
  | { ids: null; parts: readonly number[] };

const isOnMainSite = sql`${providers.status} = 't' and ${providers.domain} is null`;

export async function listProviderPages(db: Database): Promise<ProviderPages> {
  const counted = await db
    .select({
      part: sql<number>`(${providers.id} / ${sql.raw(String(idsPerPart))})::float8`,
      count: sql<number>`count(*)::int`,
    })
    .from(providers)
    .where(isOnMainSite)
    .groupBy(sql`1`)
    .orderBy(sql`1`);
  const parts = counted.map(({ part }) => part);
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  if (total > onePartMax) return { ids: null, parts };
  return { ids: (await Promise.all(parts.map((part) => listPart(db, part)))).flat(), parts: null };
}

/** The ids of one part, in order. One text, because ten thousand rows take the process five times as long. */
export async function listPart(db: Database, part: number): Promise<number[]> {
  const [row] = await db
    .select({ ids: sql<string | null>`string_agg(${providers.id}::text, ',' order by ${providers.id})` })
    .from(providers)
    .where(
      sql`${isOnMainSite} and ${providers.id} >= ${part * idsPerPart} and ${providers.id} < ${(part + 1) * idsPerPart}`,
    );
  return row?.ids?.split(',').map(Number) ?? [];
}
