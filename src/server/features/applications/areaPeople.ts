import { and, eq, gt, lte } from 'drizzle-orm';
import pLimit from 'p-limit';
import { z } from 'zod';
import { dayMs } from '#shared/formats/time.ts';
import { greatCircleMiles } from '#shared/leads/geo.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { readRows } from '#server/db/readRows.ts';
import { readWithTimeout } from '#server/db/readWithTimeout.ts';
import { areaPeople } from '#server/db/schema/index.ts';
import { withTimeout } from '#server/db/withTimeout.ts';
import type { Log } from '#server/log.ts';
import type { InsightReads } from '../insights/insightReads.ts';
import type { ZipTable } from '../matching/zipTable.ts';

const radiusMiles = 50;
const windowDays = 90;
const renewedAfterDays = 7;
const peopleMin = 10;
const roundedTo = 5;

/** How long an answer waits for a count. */
const waitMs = 1_000;
/** Areas that wait for their count, with the one that is counted. */
const countsMax = 20;
/** No count starts for this long after a failed one, so that a flood doesn't repeat it. */
const pauseMs = 60_000;

const countRow = z.object({ people: z.number() });

/**
 * The people near the middle of a ZIP area who asked since a time. Leads with one mailbox or phone are of one person,
 * also over a third lead that has the phone of one and the mailbox of the other.
 */
async function countPeople(
  db: Queryable,
  zipTable: ZipTable,
  { zip3, since }: { zip3: string; since: Date },
) {
  const center = zipTable.findCenter(zip3);
  if (center === null) return 0;
  const near = [...zipTable.entries()]
    .filter(([, latitude, longitude]) => greatCircleMiles(center, { latitude, longitude }) <= radiusMiles)
    .map(([key]) => key);
  const [row] = await readRows(db, countRow)`
    with near as (select unnest(string_to_array(${near.join()}, ',')) as key),
    came as (
      select coalesce(duplicate_of, id) as person, email_mailbox(email_norm) as mailbox, phone_e164 as phone from leads
      where created_at >= ${since.toISOString()}::timestamptz and deleted_at is null and quarantined_at is null
        and (zip5 in (select key from near) or (left(zip5, 3) in (select key from near)
          and not exists (select from zip_centroids where zip = zip5)))
    ),
    by_mailbox as (select min(person) over (partition by mailbox) as person, mailbox, phone from came),
    by_phone as (select min(person) over (partition by phone) as person, mailbox from by_mailbox),
    people as (select min(person) over (partition by mailbox) as person from by_phone)
    select count(distinct person)::int as people from people`;
  return row?.people ?? 0;
}

/** Hides small figures, which could reveal a single person. */
function toShown(people: number): number {
  return people < peopleMin ? 0 : Math.round(people / roundedTo) * roundedTo;
}

async function findStored(db: Database, zip3: string, newerThan: Date): Promise<number | null> {
  const [row] = await db
    .select({ people: areaPeople.people })
    .from(areaPeople)
    .where(and(eq(areaPeople.zip3, zip3), gt(areaPeople.countedAt, newerThan)));
  return row?.people ?? null;
}

interface Options {
  db: Database;
  zipTable: ZipTable;
  now: () => Date;
  insightReads: InsightReads;
  log: Log;
}

export interface AreaPeople {
  /** The stored figure; null without one of the last week. */
  findStored: (zip3: string) => Promise<number | null>;
  /** Counts an area, and stores and returns the figure; null if that takes longer than a visitor waits, or fails. */
  count: (zip3: string) => Promise<number | null>;
}

/**
 * The figures of areas that anyone may see. Each is stored for a week, for all processes: its changes from one request
 * to the next would reveal single people. A count reads the leads of 90 days, so that this process makes one at a time,
 * among the reads of insights, and equal requests share it. It continues for the next visitor when nobody waits.
 */
export function createAreaPeople({ db, zipTable, now, insightReads, log }: Options): AreaPeople {
  const oneAtATime = pLimit(1);
  const counts = new Map<string, Promise<number | null>>();
  let pauseEndsMs = -Infinity;
  const daysAgo = (days: number): Date => new Date(now().getTime() - days * dayMs);
  const findFresh = (zip3: string): Promise<number | null> => findStored(db, zip3, daysAgo(renewedAfterDays));

  async function store(zip3: string): Promise<number | null> {
    // An earlier count of the queue failed, or another process counted while this one waited.
    if (performance.now() < pauseEndsMs) return null;
    const stored = await findFresh(zip3);
    if (stored !== null) return stored;
    const people = toShown(
      await insightReads((reader) =>
        readWithTimeout(reader, (tx) => countPeople(tx, zipTable, { zip3, since: daysAgo(windowDays) }), {
          tooLong: 'Counting the people of an area takes too long.',
        }),
      ),
    );
    const countedAt = now();
    await db
      .insert(areaPeople)
      .values({ zip3, people, countedAt })
      .onConflictDoUpdate({
        target: areaPeople.zip3,
        set: { people, countedAt },
        setWhere: lte(areaPeople.countedAt, daysAgo(renewedAfterDays)),
      });
    // Another process may have been first.
    return (await findFresh(zip3)) ?? people;
  }

  /** Never rejects: nobody may be waiting for it. */
  async function countOnce(zip3: string): Promise<number | null> {
    try {
      return await oneAtATime(() => store(zip3));
    } catch (error) {
      pauseEndsMs = performance.now() + pauseMs;
      log.warn({ event: 'area.count-failed', err: error }, 'the people of an area were not counted');
      return null;
    } finally {
      counts.delete(zip3);
    }
  }

  return {
    findStored: findFresh,
    async count(zip3) {
      let counted = counts.get(zip3);
      if (counted === undefined) {
        if (counts.size >= countsMax || performance.now() < pauseEndsMs) return null;
        counted = countOnce(zip3);
        counts.set(zip3, counted);
      }
      return withTimeout(counted, { timeoutMs: waitMs }).catch(() => null);
    },
  };
}
