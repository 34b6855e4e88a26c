import type { Database } from '../db/connect.ts';
import { readTogether } from '../db/readTogether.ts';

interface CountedKey {
  key: string;
  windowSeconds: number;
}

export interface Count {
  /** Calls in the current window, including this one. */
  points: number;
  /** Until the window ends. */
  msBeforeNext: number;
}

export interface SharedCounters {
  /** Counts one call. The first call of a window starts it. */
  count: (counted: CountedKey) => Promise<Count>;
  /** Takes one call of the current window back. */
  takeBack: (key: string) => Promise<void>;
}

const countersByDatabase = new WeakMap<Database, SharedCounters>();

/** In ascending order of keys, so that two processes never wait for each other. */
const countStatement = `
  insert into rate_limits as stored (key, points, expire)
  select key, points, now() + seconds * interval '1 second'
  from json_to_recordset($1::text::json) as counted (key text, points int, seconds int) order by key
  on conflict (key) do update set
    points = case when stored.expire > now() then stored.points else 0 end + excluded.points,
    expire = case when stored.expire > now() then stored.expire else excluded.expire end
  returning key, points, (extract(epoch from expire - now()) * 1000)::float8 as ms`;

/**
 * Counters in `rate_limits`, shared by all processes, by the database's clock. Concurrent calls share a statement: a
 * busy process writes a few times per turn of its event loop, not several times per call.
 */
export function sharedCounters(db: Database): SharedCounters {
  const known = countersByDatabase.get(db);
  if (known !== undefined) return known;
  const counters: SharedCounters = {
    count: readTogether((counted) => countAll(db, counted)),
    async takeBack(key) {
      await db.$client`update rate_limits set points = points - 1 where key = ${key} and points > 0 and expire > now()`;
    },
  };
  countersByDatabase.set(db, counters);
  return counters;
}

/** Counts calls, several of one key in the order in which they came. */
async function countAll(db: Database, counted: readonly CountedKey[]): Promise<Count[]> {
  const byKey = Map.groupBy(counted, ({ key }) => key);
  const rows = [...byKey].map(([key, calls]) => ({
    key,
    points: calls.length,
    seconds: calls[0]?.windowSeconds,
  }));
  const stored = await db.$client.unsafe<{ key: string; points: number; ms: number }[]>(
    countStatement,
    [JSON.stringify(rows)],
    { prepare: true },
  );
  const next = new Map(
    stored.map(({ key, points, ms }) => [key, { points: points - (byKey.get(key)?.length ?? 0), ms }]),
  );
  return counted.map(({ key }) => {
    const count = next.get(key);
    if (count === undefined) throw new Error('the database returned no count');
    count.points += 1;
    return { points: count.points, msBeforeNext: Math.round(count.ms) };
  });
}
