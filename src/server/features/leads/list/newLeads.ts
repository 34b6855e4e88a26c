import { setTimeout as delay } from 'node:timers/promises';
import { and, desc, gt, sql } from 'drizzle-orm';
import { listedFilter, newLeadsMax } from '#shared/admin/adminLeads.ts';
import { heartbeatMs, type LiveEvent } from '#shared/admin/staff.ts';
import { minuteMs } from '#shared/formats/time.ts';
import type { Queryable } from '#server/db/connect.ts';
import { leads } from '#server/db/schema/index.ts';
import { createDatabaseGate } from '#server/db/withTimeout.ts';
import { AppError, toAppError, unavailable } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import type { ActorServices, StaffActor } from '../../auth/actor.ts';
import { listActors } from '../../auth/sessions.ts';
import { leadConditions, leadOrder } from './leadConditions.ts';

const roundMs = 1_000;
/** Ids are committed out of order. A lead whose transaction takes longer than this is found by reloading only. */
const windowMs = minuteMs;
/** A client that comes back within the window may be late by this. */
const marginMs = 5_000;
const streamsPerSessionMax = 5;
const streamsMax = 200;
/** What a flood may add to each round. */
const recentMax = 1_000;

/** An open dashboard. */
export interface Watcher {
  actor: StaffActor;
  /** `position`: what to pass as `since` after a lost connection. */
  send: (event: LiveEvent, ids: readonly number[], position: number) => void;
  /** Ends the stream. `replaced`: the session has opened too many others. */
  end: (cause: 'over' | 'replaced') => void;
}

/** The leads that the list without filters shows. */
const isListed = leadConditions(listedFilter({}));
const newestFirst = leadOrder('-created_at');

/** From leads_created_idx. Exported for its test. */
export async function listRecentIds(db: Queryable, since: Date): Promise<number[]> {
  const rows = await db
    .select({ id: leads.id })
    .from(leads)
    .where(and(isListed, gt(leads.createdAt, since)))
    .orderBy(newestFirst.orderBy(newestFirst.key, sql`${leads.id}`))
    .limit(recentMax);
  return rows.map(({ id }) => id);
}

/** Leads after one, as far as the list without filters shows them: the newest `newLeadsMax`. */
export async function listNewIds(db: Queryable, after: number): Promise<number[]> {
  const rows = await db
    .select({ id: leads.id })
    .from(leads)
    .where(and(isListed, gt(leads.id, after)))
    .orderBy(desc(leads.id))
    .limit(newLeadsMax);
  return rows.map(({ id }) => id);
}

export type NewLeads = ReturnType<typeof createNewLeads>;

/**
 * Sends the ids of new leads to open dashboards. While there are any, it asks the database once a second for recent
 * leads and for the sessions, however many there are. It polls because a notification would be one more step in the
 * transaction of each lead, and would be sent while nobody listens. During an outage the streams stay open.
 */
export function createNewLeads({ config, db, health, log, now }: ActorServices & { log: Log }) {
  const watchers = new Map<Watcher, { sentAtMs: number }>();
  // Its own: a slow round must not stop the reads of public pages.
  const gate = createDatabaseGate({ nowMs: () => performance.now(), health });
  let isRunning = false;
  let hasFailed = false;
  /** Leads of the last round. */
  let known: ReadonlySet<number> = new Set();
  /** When the last round read the database. */
  let position = -Infinity;

  health.stopping?.addEventListener('abort', () => {
    for (const { end } of watchers.keys()) end('over');
  });

  function send(watcher: Watcher, event: LiveEvent, ids: readonly number[]): void {
    const state = watchers.get(watcher);
    if (state !== undefined) state.sentAtMs = performance.now();
    watcher.send(event, ids, position);
  }

  async function readNews(): Promise<void> {
    const at = now();
    const sessionIds = new Set([...watchers.keys()].map(({ actor }) => actor.sessionId));
    const [recent, actors] = await gate.ask(() =>
      Promise.all([
        listRecentIds(db, new Date(at.getTime() - windowMs)),
        listActors({ config, db, now }, [...sessionIds]),
      ]),
    );
    for (const { actor, end } of watchers.keys())
      if (sessionIds.has(actor.sessionId) && actors.get(actor.sessionId)?.role !== actor.role) end('over');
    const fresh = recent.filter((id) => !known.has(id));
    const hasGap = Number.isFinite(position) && !isResumable(position, at.getTime());
    known = new Set(recent);
    position = at.getTime();
    for (const watcher of watchers.keys()) {
      if (hasGap) send(watcher, 'gap', []);
      else if (fresh.length > 0) send(watcher, 'leads', fresh);
    }
  }

  async function run(): Promise<void> {
    while (watchers.size > 0) {
      try {
        await readNews();
        hasFailed = false;
      } catch (error) {
        if (!hasFailed && toAppError(error).code !== 'SERVICE_UNAVAILABLE')
          log.warn({ event: 'leads.news-unread', err: error }, 'new leads reach open dashboards later');
        hasFailed = true;
      }
      for (const [watcher, { sentAtMs }] of watchers)
        if (performance.now() - sentAtMs > heartbeatMs - roundMs) send(watcher, 'leads', []);
      await delay(roundMs, undefined, { ref: false });
    }
    known = new Set();
    position = -Infinity;
    isRunning = false;
  }

  return {
    /**
     * Sends events to a dashboard until the returned function is called or its session has ended. `since`: the position
     * of the last event that it got; it then gets what it missed. Ends the oldest of more than five streams of a
     * session. Throws SERVICE_UNAVAILABLE while the process stops, or above the limit of the process.
     */
    watch(watcher: Watcher, since: number | null): () => void {
      if (health.stopping?.aborted === true) throw unavailable();
      if (watchers.size >= streamsMax)
        throw new AppError('SERVICE_UNAVAILABLE', 'Too many open dashboards.', { retryAfterSeconds: 60 });
      const own = [...watchers.keys()].filter(({ actor }) => actor.sessionId === watcher.actor.sessionId);
      const [oldest] = own;
      if (oldest !== undefined && own.length >= streamsPerSessionMax) oldest.end('replaced');
      watchers.set(watcher, { sentAtMs: performance.now() });
      if (since === null || !isResumable(since, now().getTime())) send(watcher, 'gap', []);
      else send(watcher, 'leads', [...known]);
      if (!isRunning) {
        isRunning = true;
        void run();
      }
      return () => void watchers.delete(watcher);
    },
  };
}

/** Whether the leads since a position are among those of the window. */
function isResumable(since: number, nowMs: number): boolean {
  return nowMs - since <= windowMs - marginMs;
}
