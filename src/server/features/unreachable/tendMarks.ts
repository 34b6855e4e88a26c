import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import { hourMs } from '#shared/formats/time.ts';
import { advisoryLocks, tryAdvisoryLock } from '#server/db/advisoryLocks.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import {
  type AddressMark,
  channelRefusals,
  providers,
  unreachableProviders,
} from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import {
  cancelHandled,
  countUnderWay,
  expireHolds,
  listHeldProviders,
  listNotReached,
  releaseUnreachable,
} from '../outbox/unreachableHolds.ts';
import { openLeadTasks } from '../suppression/staffTasks.ts';
import { isOver, lockMark, nextTrialAt, paceMs, removeMark, updateMark } from './addressMarks.ts';
import { markedAddress, clearEndedAlerts, reportProviders } from './listUnreachable.ts';
import { judgeBounced } from './bouncedEmails.ts';

/** A row of refusals that are ours is noticed within this time (outbox/refused/refusalRuns.ts). */
const refusalRunMs = hourMs;
/** After a mark ended, as many of the others are under way at a time. */
const releasedAtOnce = 10;

interface Address {
  address: string;
  /** The providers that have it now. */
  providerIds: readonly number[];
}

/**
 * Releases emails held for unreachable addresses when they may leave, opens tasks about those that wait, and ends
 * marks. One process works at a time. Does nothing while email isn't configured.
 */
export async function tendMarks(services: Pick<Services, 'db' | 'channels' | 'now'>): Promise<void> {
  const { db, channels, now } = services;
  if (channels['provider-email'].heldReason() !== null) return;
  await withLock(db, async (tx) => {
    await judgeBounced(tx, now());
    await endMarksOfRun(tx);
  });
  for (const address of await listAddresses(db)) await withLock(db, (tx) => tendAddress(tx, address, now()));
  await withLock(db, async (tx) => {
    await cancelHandled(tx, now());
    await clearEndedAlerts(tx);
  });
}

/** Skips the work while another process does it. */
function withLock(db: Database, work: (tx: Queryable) => Promise<void>): Promise<void> {
  return db.transaction(async (tx) => {
    if (await tryAdvisoryLock(tx, advisoryLocks.tendMarks)) await work(tx);
  });
}

/**
 * Ends marks of addresses all refused in a row: the fault is ours (outbox/refused), and held emails leave once let in.
 */
async function endMarksOfRun(tx: Queryable): Promise<void> {
  const { channel, isRun, since } = channelRefusals;
  const [run] = await tx
    .select({ since })
    .from(channelRefusals)
    .where(and(eq(channel, 'provider-email'), eq(isRun, true)));
  if (run === undefined) return;
  const first = new Date(run.since.getTime() - refusalRunMs);
  const { cause, since: markedAt } = unreachableProviders;
  await tx.delete(unreachableProviders).where(and(eq(cause, 'bounce'), gt(markedAt, first)));
}

/** Marked addresses, and those of providers for which emails are held. */
async function listAddresses(db: Queryable): Promise<Address[]> {
  const held = await listHeldProviders(db);
  const marks = await db.select({ address: unreachableProviders.address }).from(unreachableProviders);
  if (held.length === 0 && marks.length === 0) return [];
  const ofHeld = db
    .select({ address: markedAddress(providers.email) })
    .from(providers)
    .where(inArray(providers.id, held.length === 0 ? [0] : held));
  const address = markedAddress(providers.email);
  const rows = await db
    .select({ address, id: providers.id })
    .from(providers)
    .where(
      sql`${address} in (${ofHeld}) or ${address} in (select ${unreachableProviders.address} from ${unreachableProviders})`,
    );
  const byAddress = Map.groupBy(rows, (row) => row.address);
  const unused = marks.filter((mark) => !byAddress.has(mark.address));
  return [
    ...unused.map((mark) => ({ ...mark, providerIds: [] })),
    ...[...byAddress].map(([of, list]) => ({ address: of, providerIds: list.map(({ id }) => id) })),
  ];
}

async function tendAddress(tx: Queryable, { address, providerIds }: Address, now: Date): Promise<void> {
  const mark = await lockMark(tx, address);
  const isEnded = mark !== null && (providerIds.length === 0 || isOver(mark, now));
  if (isEnded) await removeMark(tx, mark);
  if (providerIds.length === 0) return;
  if (mark === null || isEnded) return releaseOthers(tx, providerIds, now);
  const held = { providerIds, since: mark.since, now };
  const isComplaint = mark.cause === 'complaint';
  const leadIds = await listNotReached(tx, { ...held, isComplaint });
  await openLeadTasks(tx, { kind: 'not-reached', leadIds, now });
  await expireHolds(tx, held);
  if (!isComplaint) await releaseNext(tx, mark, held);
  await reportProviders(tx, mark, now);
}

/** Lets one email try the address, or, after one was accepted, one new lead leave. */
async function releaseNext(
  tx: Queryable,
  mark: AddressMark,
  { providerIds, now }: { providerIds: readonly number[]; now: Date },
): Promise<void> {
  const { acceptedAt, lastSentAt } = mark;
  const one = { providerIds, now, limit: 1, ignoresUnreachable: true };
  if (acceptedAt === null) {
    if (mark.nextTrialAt === null || mark.nextTrialAt > now) return;
    // Without one, the next lead tries it when it arrives.
    if ((await releaseUnreachable(tx, one)) > 0)
      await updateMark(tx, mark, { nextTrialAt: nextTrialAt(mark.since, now) });
    return;
  }
  if (lastSentAt !== null && now.getTime() - lastSentAt.getTime() < paceMs) return;
  if ((await releaseUnreachable(tx, { ...one, createdSince: acceptedAt })) > 0)
    await updateMark(tx, mark, { lastSentAt: now });
}

/** Lets what was held leave, ten at a time: the mark ended, or the provider has another address. */
export async function releaseOthers(tx: Queryable, providerIds: readonly number[], now: Date): Promise<void> {
  const limit = releasedAtOnce - (await countUnderWay(tx, providerIds, now));
  await releaseUnreachable(tx, { providerIds, now, limit, ignoresUnreachable: false });
}
