import { z } from 'zod';
import { dayMs, hourMs } from '#shared/formats/time.ts';
import type { Queryable, Database } from '#server/db/connect.ts';
import { readRows } from '#server/db/readRows.ts';
import { auditLog, leads } from '#server/db/schema/index.ts';
import { LRUCache } from 'lru-cache';
import type { Log } from '#server/log.ts';
import { entriesMax } from '#server/cache/caches.ts';
import { type Count, sharedCounters, hiddenKey, widestNetwork } from '#server/security/sharedLimiter.ts';

const historyDays = 28;
const historyHours = (historyDays * dayMs) / hourMs;
/** Busier hours of the history than its 95th percentile. */
const busierHours = historyHours - Math.ceil(historyHours * 0.95);

/**
 * The 95th percentile of a provider's leads by hour over the last 28 days, most of which have none. Leads that were
 * quarantined or waited above a limit don't count, also after their release: a flood must not raise what it may reach.
 * Reads the provider's leads of these days by their index, and the history of each.
 */
export async function findUsualHour(db: Queryable, providerId: number, at: Date): Promise<number> {
  const since = new Date(at.getTime() - historyDays * dayMs).toISOString();
  const [row] = await readRows(db, z.object({ usual: z.number() }))`
    select count(*)::int as usual from ${leads}
    where ${leads.providerId} = ${providerId} and ${leads.deletedAt} is null and ${leads.createdAt} > ${since}::timestamptz
      and ${leads.quarantinedAt} is null
      and not exists (select from ${auditLog} where ${auditLog.subjectKind} = 'lead' and ${auditLog.subjectId} = ${leads.id}::text
        and ${auditLog.action} = 'lead.release')
    group by date_trunc('hour', ${leads.createdAt}) order by usual desc offset ${busierHours} limit 1`;
  return row?.usual ?? 0;
}

const daySeconds = dayMs / 1000;
const hourSeconds = hourMs / 1000;

/** A person who corrects a lead sends it a few times a day; from more networks, a household. */
const perPhoneAndNetwork = 3;
const perPhone = 10;

/** What any provider may get in an hour, and what it may get at most, however busy it is. */
const perProviderMin = 20;
const perProviderMax = 200;
/** Of a busy hour of the last four weeks: campaigns bring more than usual. */
const busyHourFactor = 5;

/** What a flood attacks. */
type FloodTarget = 'provider' | 'phone';

export interface Flood {
  target: FloodTarget;
  /** Until the window of the limit ends. */
  waitMs: number;
  /** Leads that the window allows. */
  allowed: number;
}

/** A lead by what a flood may attack. */
interface FloodedLead {
  phoneE164: string;
  ip: string;
  /** Null: it matched none. */
  providerId: number | null;
}

export interface FloodCount {
  /** The limit that the lead exceeds, or null. */
  flood: Flood | null;
  /** What it was counted by. */
  keys: readonly string[];
}

export interface FloodLimits {
  /**
   * Counts a lead for its phone and its provider, in all processes together. One that its network's limit for the phone stops counts neither for the phone in all nor for the provider: nobody
   * uses up what others may send. Nothing is exceeded while the counts can't be read: a lead is never lost for that.
   */
  take: (lead: FloodedLead) => Promise<FloodCount>;
  /** Takes a counted lead back: it repeated one that was counted. */
  giveBack: (count: Pick<FloodCount, 'keys'>) => Promise<void>;
  /** Counts a release to a provider, apart from what new leads may use. Returns null, or the milliseconds to wait. */
  takeRelease: (providerId: number) => Promise<number | null>;
}

interface Options {
  db: Database;
  log: Log;
  /** The first one makes the keys. A change resets the counts. */
  secretKeys: readonly string[];
  now: () => Date;
  /** False: nothing is limited. */
  isOn: boolean;
}

const uncounted: FloodCount = { flood: null, keys: [] };
const unlimited: FloodLimits = {
  take: () => Promise.resolve(uncounted),
  giveBack: () => Promise.resolve(),
  takeRelease: () => Promise.resolve(null),
};

const ceilingsMax = 10_000;

/** How many leads each provider may get in an hour, read once an hour from its last four weeks. */
function createCeilings(db: Queryable, now: () => Date): (providerId: number) => Promise<number> {
  const known = new LRUCache<number, { readAtMs: number; ceiling: Promise<number> }>(entriesMax(ceilingsMax));
  return (providerId) => {
    const before = known.get(providerId);
    const atMs = now().getTime();
    if (before !== undefined && Math.abs(atMs - before.readAtMs) < hourMs) return before.ceiling;
    const ceiling = findUsualHour(db, providerId, new Date(atMs)).then((usual) =>
      Math.min(perProviderMax, Math.max(perProviderMin, busyHourFactor * usual)),
    );
    known.set(providerId, { readAtMs: atMs, ceiling });
    ceiling.catch(() => known.delete(providerId));
    return ceiling;
  };
}

/** Limits by what leads attack, not by where they come from: a flood may have any number of networks. */
export function createFloodLimits({ db, log, secretKeys: [secret], now, isOn }: Options): FloodLimits {
  if (secret === undefined) throw new Error('limits of floods need a secret key');
  if (!isOn) return unlimited;
  const counters = sharedCounters(db);
  const getCeiling = createCeilings(db, now);
  const toKey = (kind: string, text: string): string => `lead-flood-${kind}:${hiddenKey(secret, kind, text)}`;
  const pairKey = ({ phoneE164, ip }: FloodedLead): string =>
    toKey('pair', `${phoneE164}\n${widestNetwork(ip)}`);
  const phoneKey = ({ phoneE164 }: FloodedLead): string => toKey('phone', phoneE164);
  const providerKey = (providerId: number): string => toKey('provider', String(providerId));

  /** The ceiling is read only when more than any provider may get arrive. */
  async function exceeds(count: Count | null, providerId: number | null): Promise<Flood | null> {
    if (count === null || providerId === null || count.points <= perProviderMin) return null;
    const allowed = await getCeiling(providerId);
    return count.points <= allowed ? null : { target: 'provider', waitMs: count.msBeforeNext, allowed };
  }

  async function takeCounted(lead: FloodedLead): Promise<FloodCount> {
    const { providerId } = lead;
    const [pair, phone, provider] = await Promise.all([
      counters.count({ key: pairKey(lead), windowSeconds: daySeconds }),
      counters.count({ key: phoneKey(lead), windowSeconds: daySeconds }),
      providerId === null
        ? null
        : counters.count({ key: providerKey(providerId), windowSeconds: hourSeconds }),
    ]);
    const keys = { pair: pairKey(lead), phone: phoneKey(lead) };
    const ofProvider = providerId === null ? [] : [providerKey(providerId)];
    const isPair = pair.points > perPhoneAndNetwork;
    if (!isPair && phone.points <= perPhone)
      return { flood: await exceeds(provider, providerId), keys: [keys.pair, keys.phone, ...ofProvider] };
    const uncountedFor = isPair ? [keys.phone, ...ofProvider] : ofProvider;
    for (const key of uncountedFor) await counters.takeBack(key);
    const [counted, allowed] = isPair ? [pair, perPhoneAndNetwork] : [phone, perPhone];
    return {
      flood: { target: 'phone', waitMs: counted.msBeforeNext, allowed },
      keys: isPair ? [keys.pair] : [keys.pair, keys.phone],
    };
  }

  return {
    take: (lead) =>
      takeCounted(lead).catch((error: unknown) => {
        log.warn({ event: 'limits.flood', err: error }, 'a lead was not counted for its phone and provider');
        return uncounted;
      }),
    async giveBack({ keys }) {
      for (const key of keys) await counters.takeBack(key);
    },
    async takeRelease(providerId) {
      const key = toKey('release', String(providerId));
      const count = await counters.count({ key, windowSeconds: hourSeconds });
      return (await exceeds(count, providerId))?.waitMs ?? null;
    },
  };
}
