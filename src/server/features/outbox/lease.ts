import { and, eq, getTableColumns, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { suppressedReason } from '#shared/leads/suppression.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { prepareQuery } from '#server/db/prepareQuery.ts';
import { deliveries, type DeliveryRow, deliveryAttempts, leads, providers } from '#server/db/schema/index.ts';
import { attemptLimitSeconds } from '#server/background/queues.ts';
import type { Services } from '#server/services.ts';
import { identityPads } from '../identity/identityHashes.ts';
import { isLeadSuppressedBy } from '../suppression/suppressions.ts';
import { type Subject, wasUnanswered } from './subject.ts';

/** A try that isn't written down by then never will be: its process is gone. */
const claimMs = (attemptLimitSeconds + 10) * 1000;
/** Clocks of two machines differ: a job may wake a worker whose own says that it is a moment too soon. */
const earlyMs = 3_000;

/** One try's own: nobody else makes one until it is settled or its time is over. */
export interface Claim {
  delivery: DeliveryRow & { leasedUntil: Date };
  /** When it had arrived, where staff ask for it again: what isn't tried then stands as before. */
  arrivedAt: Date | null;
  subject: Subject;
}

type ClaimSet = Partial<Record<'state' | 'nextAttemptAt' | 'attemptsBeforeRound', SQL>>;

const until = sql`${sql.placeholder('until')}::timestamptz`;
const isAsked = eq(deliveries.id, sql.placeholder('id'));
const isUnclaimed = or(isNull(deliveries.leasedUntil), lte(deliveries.leasedUntil, sql.placeholder('now')));

/**
 * A worker's claim needn't be on the disk before the try begins: if Postgres crashes, one that is lost is a try that is made again, with the
 * same key. Staff's takes up what was over, which nobody else would.
 */
const commits = {
  lazily: sql`set_config('synchronous_commit', 'off', true)`.as('commits'),
  surely: sql`null`.as('commits'),
};

/**
 * Claims, and reads whom it is about, in one statement: what withdraws a person, deletes a lead or gives it away calls its deliveries off in the
 * same transaction, so none is claimed after that, and none that is claimed is let go for it.
 */
function claimQuery(
  db: Queryable,
  how: keyof typeof commits,
  condition: SQL | undefined,
  set: ClaimSet = {},
) {
  const before = db
    .select({
      id: deliveries.id,
      was: sql<string | null>`${deliveries.leasedUntil}`.as('was'),
      arrived: sql<
        string | null
      >`case when ${deliveries.state} = 'delivered' then ${deliveries.finishedAt} end`.as('arrived'),
    })
    .from(deliveries)
    .where(and(isAsked, condition, isUnclaimed))
    .for('update', { skipLocked: true })
    .as('before');
  const claimed = db.$with('claimed').as(
    db
      .update(deliveries)
      .set({ leasedUntil: until, attempts: sql`${deliveries.attempts} + 1`, ...set })
      .from(before)
      .where(eq(deliveries.id, before.id))
      .returning({
        ...getTableColumns(deliveries),
        commits: commits[how],
        was: before.was,
        arrived: before.arrived,
      }),
  );
  const others = sql`from deliveries o where o.lead_id = ${claimed.leadId} and o.channel = ${claimed.channel} and o.id <> ${claimed.id}`;
  const { was, arrived, commits: _, ...delivery } = claimed._.selectedFields;
  return db
    .with(claimed)
    .select({
      delivery,
      was,
      arrived,
      lead: leads,
      provider: providers,
      isSuppressed: isLeadSuppressedBy({
        innerPad: sql.placeholder('innerPad'),
        outerPad: sql.placeholder('outerPad'),
      }),
      isKnown: sql<boolean>`exists (select 1 ${others} and o.state = 'delivered')`,
      contactId: sql<
        string | null
      >`(select o.remote_id ${others} and o.remote_id is not null order by o.created_at desc limit 1)`,
    })
    .from(claimed)
    .innerJoin(leads, eq(leads.id, claimed.leadId))
    .leftJoin(providers, eq(providers.id, claimed.providerId));
}

const dueQuery = prepareQuery((db) =>
  claimQuery(
    db,
    'lazily',
    and(eq(deliveries.state, 'queued'), lte(deliveries.nextAttemptAt, sql.placeholder('due'))),
  ).prepare('claim_due'),
);

/** The suppression may have been lifted since; the claim looks. */
const isSuppressedBefore = eq(deliveries.reason, suppressedReason);
const isOver = sql`${deliveries.state} <> 'queued'`;
const staffQuery = prepareQuery((db) =>
  claimQuery(db, 'surely', or(ne(deliveries.state, 'cancelled'), isSuppressedBefore), {
    state: sql`'queued'`,
    // Whoever makes the try may die: then a worker does, once the claim is over.
    nextAttemptAt: sql`case when ${isOver} then ${until} else ${deliveries.nextAttemptAt} end`,
    attemptsBeforeRound: sql`case when ${isOver} then ${deliveries.attempts} else ${deliveries.attemptsBeforeRound} end`,
  }).prepare('claim_for_staff'),
);

type Query = ReturnType<typeof dueQuery>;

/** What a claim needs: suppressions are looked up by hashes under the identity key. */
export type ClaimServices = Pick<Services, 'db' | 'dataKeys'>;

async function claim(
  { db, dataKeys }: ClaimServices,
  query: (db: Database) => Query,
  id: string,
  now: Date,
): Promise<Claim | null> {
  const { key } = await dataKeys.current('identity');
  const leasedUntil = new Date(now.getTime() + claimMs);
  const [row] = await query(db).execute({
    id,
    now: now.toISOString(),
    due: new Date(now.getTime() + earlyMs).toISOString(),
    until: leasedUntil.toISOString(),
    ...identityPads(key),
  });
  if (row === undefined) return null;
  const { delivery, was, arrived, contactId, ...found } = row;
  if (was !== null) await recordInterrupted(db, delivery, new Date(was));
  const { channel, remoteId, template } = delivery;
  return {
    delivery: { ...delivery, leasedUntil },
    arrivedAt: arrived === null ? null : new Date(arrived),
    subject: {
      ...found,
      remoteId: remoteId ?? (channel === 'crm' ? contactId : null),
      isUnanswered: template === 'erased' && (await wasUnanswered(db, delivery)),
    },
  };
}

/** A claim that nobody took back: whoever made that try died in the middle of it. */
async function recordInterrupted(db: Database, delivery: DeliveryRow, leasedUntil: Date): Promise<void> {
  await db.insert(deliveryAttempts).values({
    leadId: delivery.leadId,
    deliveryId: delivery.id,
    channel: delivery.channel,
    at: new Date(leasedUntil.getTime() - claimMs),
    durationMs: 0,
    outcome: 'failed',
    answer: 'The process that made this try ended in the middle of it.',
  });
}

/**
 * Takes a delivery for one try; null when it isn't due, is over, or somebody else has it. Throws, and takes nothing, if the identity key can't be
 * loaded.
 */
export function claimDue(services: ClaimServices, id: string, now: Date): Promise<Claim | null> {
  return claim(services, dueQuery, id, now);
}

/**
 * Takes a delivery for a try that staff ask for, due or not; one that was over begins its schedule anew. Null when somebody else has it, or when it
 * was called off for anything but a suppression.
 */
export function claimForStaff(services: ClaimServices, id: string, now: Date): Promise<Claim | null> {
  return claim(services, staffQuery, id, now);
}

/** Gives back what was claimed and not tried, with what is to become of it; what had arrived before has arrived. */
export async function letGo(
  db: Queryable,
  { delivery: { id, leasedUntil }, arrivedAt }: Pick<Claim, 'delivery' | 'arrivedAt'>,
  standing: Pick<DeliveryRow, 'state' | 'nextAttemptAt' | 'reason' | 'finishedAt'>,
): Promise<void> {
  const arrived = { state: 'delivered', nextAttemptAt: null, reason: null, finishedAt: arrivedAt } as const;
  const untried = { leasedUntil: null, attempts: sql`${deliveries.attempts} - 1` };
  const isOurs = and(eq(deliveries.id, id), eq(deliveries.leasedUntil, leasedUntil));
  const left = await db
    .update(deliveries)
    .set({ ...(arrivedAt === null ? standing : arrived), ...untried })
    .where(and(isOurs, eq(deliveries.state, 'queued')))
    .returning({ id: deliveries.id });
  // Called off meanwhile, it stays so; that nothing was tried is to be seen all the same.
  if (left.length === 0) await db.update(deliveries).set(untried).where(isOurs);
}
