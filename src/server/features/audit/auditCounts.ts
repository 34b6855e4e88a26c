import type { AuditAction } from '#shared/admin/audit.ts';
import { hourMs, minuteMs } from '#shared/formats/time.ts';
import type { Database } from '#server/db/connect.ts';
import { auditLog } from '#server/db/schema/index.ts';
import type { Actor } from '../auth/actor.ts';
import { type AuditActor, type AuditSubject, toRow } from './audit.ts';

/** What is counted, and how often at most it becomes an entry. */
const periods = {
  'access.denied': minuteMs,
  'sign-in-refused': minuteMs,
  'leads.list': hourMs,
  'applications.list': hourMs,
  'leads.export': minuteMs,
  'providers.export': minuteMs,
} satisfies Partial<Record<AuditAction, number>>;
type CountedAction = keyof typeof periods;

/** Of one entry: beyond these, operations and claims are only part of the total. */
const namesMax = 10;
/** Different rows that are remembered until the next entry. */
const idsMax = 100_000;
/** So many different leads at once are an entry of their own, before the period ends. */
const bulk = 1_000;
/** Beyond these, acts are counted together as "others". Claimed addresses are the only ones that strangers choose. */
const keysMax = 1_000;

interface Act {
  actor: AuditActor;
  ip: string;
  action: CountedAction;
  subject: AuditSubject | null;
  /** What was attempted: an operation, or a masked claim. Nothing personal. */
  name?: string;
  ids?: readonly number[];
  /** How many rows were returned, where their ids aren't known. */
  rows?: number;
  /** Whether a search for a person chose the rows. */
  isSearch?: boolean;
  /** Whether it is a part of an act that was counted already. */
  isPart?: boolean;
}

interface CountedActs extends Pick<Act, 'actor' | 'ip' | 'action' | 'subject'> {
  sinceMs: number;
  attempts: number;
  searches: number;
  rows: number;
  names: Map<string, number>;
  ids: Set<number>;
  addresses: Set<string>;
}

function toKey({ actor, action, subject }: Act): string {
  const own = actor.kind === 'staff' ? actor.accountId : actor.kind === 'token' ? actor.tokenId : null;
  return JSON.stringify([action, actor.kind, actor.name, own, subject]);
}

/** Only what was counted. */
function buildDetail({ attempts, searches, rows, names, ids, addresses }: CountedActs): object {
  return {
    attempts,
    ...(searches === 0 ? {} : { searches }),
    ...(ids.size + rows === 0 ? {} : { rows: ids.size + rows }),
    ...(names.size === 0 ? {} : { names: Object.fromEntries(names) }),
    ...(addresses.size < 2 ? {} : { addresses: addresses.size }),
  };
}

/**
 * Counts in memory what is too frequent for entries: refusals and reads of contact details. One entry per actor, action
 * and period says how often, so nobody can flood the log. A killed process loses the counts since the last `store`.
 */
export function createAuditCounts({ db, now }: { db: Database; now: () => Date }) {
  const counted = new Map<string, CountedActs>();
  /** When an entry was last written, so that a steady flood gives one per period. */
  const written = new Map<string, number>();

  /** A refusal is written at the first chance, the reads of a list when their hour is over or they are many. */
  function isDue(key: string, { action, ids, sinceMs }: CountedActs, atMs: number): boolean {
    const period = periods[action];
    const fromMs = period === hourMs ? sinceMs : (written.get(key) ?? 0);
    return ids.size >= bulk || atMs - fromMs >= period;
  }

  function find(act: Act): CountedActs {
    const key = toKey(act);
    const known = counted.get(key);
    if (known !== undefined) return known;
    const { actor, ip, action, subject } = act;
    const isFull = counted.size >= keysMax && subject !== null;
    if (isFull) return find({ ...act, subject: null });
    const fresh: CountedActs = {
      actor,
      ip,
      action,
      subject,
      sinceMs: now().getTime(),
      attempts: 0,
      searches: 0,
      rows: 0,
      names: new Map(),
      ids: new Set(),
      addresses: new Set(),
    };
    counted.set(key, fresh);
    return fresh;
  }

  /** After a failure: adds what was counted in the meantime. */
  function putBack(key: string, own: CountedActs): void {
    const later = counted.get(key);
    counted.set(key, own);
    if (later === undefined) return;
    own.attempts += later.attempts;
    own.searches += later.searches;
    own.rows += later.rows;
    for (const id of later.ids) own.ids.add(id);
    for (const address of later.addresses) own.addresses.add(address);
    for (const [name, times] of later.names) own.names.set(name, (own.names.get(name) ?? 0) + times);
  }

  return {
    count(act: Act): void {
      const own = find(act);
      const { ip, name, ids = [], rows = 0, isSearch = false, isPart = false } = act;
      own.ip = ip;
      own.attempts += isPart ? 0 : 1;
      own.searches += isSearch ? 1 : 0;
      own.rows += rows;
      for (const id of ids) if (own.ids.size < idsMax) own.ids.add(id);
      if (own.addresses.size < keysMax) own.addresses.add(ip);
      if (name !== undefined && (own.names.has(name) || own.names.size < namesMax))
        own.names.set(name, (own.names.get(name) ?? 0) + 1);
    },
    /** Writes what is due, and at the end (`isLast`) everything. What a failure leaves is written by the next call. */
    async store({ isLast = false }: { isLast?: boolean } = {}): Promise<void> {
      const atMs = now().getTime();
      for (const [key, lastMs] of written) if (atMs - lastMs >= minuteMs) written.delete(key);
      const due = [...counted].filter(([key, own]) => isLast || isDue(key, own, atMs));
      if (due.length === 0) return;
      // What is counted while these are written is for the next entry.
      for (const [key] of due) counted.delete(key);
      try {
        await db.insert(auditLog).values(due.map(([, own]) => toRow({ ...own, detail: buildDetail(own) })));
        for (const [key] of due) written.set(key, atMs);
      } catch (error) {
        for (const [key, own] of due) putBack(key, own);
        throw error;
      }
    },
  };
}

export type AuditCounts = ReturnType<typeof createAuditCounts>;

/**
 * Counts rows with contact details that were returned. One entry an hour gives requests, searches and different rows.
 */
export function countViewed(
  { services, actor, ip }: { services: { auditCounts: AuditCounts }; actor: Actor; ip: string },
  action: 'leads.list' | 'applications.list',
  { rows, search = '' }: { rows: readonly { id: number }[]; search?: string | undefined },
): void {
  const ids = rows.map(({ id }) => id);
  services.auditCounts.count({ actor, ip, action, subject: ownSubject(actor), ids, isSearch: search !== '' });
}

function ownSubject(actor: Actor): AuditSubject | null {
  if (actor.kind === 'token') return { kind: 'token', id: actor.tokenId };
  return actor.accountId === null ? null : { kind: 'account', id: actor.accountId };
}
