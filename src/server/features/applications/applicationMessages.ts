import { and, eq, exists, inArray, lte, ne, type SQL, sql } from 'drizzle-orm';
import { applicationAnswerHours } from '#shared/brand/application.ts';
import type { AdminApplication } from '#shared/applications/adminApplications.ts';
import { hourMs } from '#shared/formats/time.ts';
import type { Queryable } from '#server/db/connect.ts';
import {
  type ApplicationMessageInsert,
  applicationMessages,
  providerApplications,
} from '#server/db/schema/index.ts';
import { waitMaxMs } from '../leads/intake/overLimitQueue.ts';
import type { DeliveryResult } from '../outbox/types.ts';
import type { Admission, Verdict } from '../submissions/spam.ts';

/** Why an applicant gets no receipt: anyone could have applied in their name. */
const unprovenReason = 'It was sent without a form token, so the applicant gets no email.';
const answeredReason = 'The application was answered before.';
/** News of two days ago is old, and a receipt's promise is over. */
const attemptsEndAfterHours = 48;
const tooOld = `It was not accepted within ${attemptsEndAfterHours} hours.`;

type MessageKind = ApplicationMessageInsert['kind'];
type PlannedMessage = Omit<ApplicationMessageInsert, 'applicationId'>;

/** Until when the provider page promises an answer. */
export function getDueAt(createdAt: Date): Date {
  return new Date(createdAt.getTime() + applicationAnswerHours * hourMs);
}

/** Applications that staff must answer: new ones, except quarantined ones. Those above the limit are people's. */
export function isUnanswered({ status, quarantineReason }: UnansweredColumns): boolean {
  return status === 'new' && (quarantineReason === null || quarantineReason === 'over-limit');
}

type ApplicationRow = typeof providerApplications.$inferSelect;
type UnansweredColumns = Pick<ApplicationRow, 'status' | 'quarantineReason'>;

interface Arrival extends Pick<Admission, 'quarantineReason' | 'releaseAt'> {
  verdict: Pick<Verdict, 'kind' | 'honeypotWaitMs'>;
  now: Date;
}

/** The messages that wait until a time: without a form token, the receipt is withheld. */
function planBoth(
  nextAttemptAt: Date,
  { isProven, now }: { isProven: boolean; now: Date },
): PlannedMessage[] {
  const planned = { createdAt: now, nextAttemptAt };
  const withheld = { state: 'withheld', reason: unprovenReason, endedAt: now } as const;
  return [
    { kind: 'notice', ...planned },
    { kind: 'receipt', ...planned, ...(isProven ? {} : withheld) },
  ];
}

/**
 * The messages that an application causes. A quarantined one causes none, and one above the limit when the limit
 * allows. A receipt needs a genuine form token: anybody can send any address.
 */
export function planMessages({ quarantineReason, releaseAt, verdict, now }: Arrival): PlannedMessage[] {
  if (!isUnanswered({ status: 'new', quarantineReason })) return [];
  const waitMs = Math.max(
    verdict.honeypotWaitMs ?? 0,
    Math.min(waitMaxMs, (releaseAt ?? now).getTime() - now.getTime()),
  );
  return planBoth(new Date(now.getTime() + waitMs), { isProven: verdict.kind === 'form', now });
}

/** The messages that a release from quarantine causes. One above the limit had a form's token. */
export function planReleased(
  { quarantineReason, consentVersion }: Pick<ApplicationRow, 'quarantineReason' | 'consentVersion'>,
  now: Date,
): PlannedMessage[] {
  // A consent text has a version if its form is known to have been shown.
  return planBoth(now, { isProven: quarantineReason === 'over-limit' || consentVersion !== null, now });
}

/** Stores the messages of a new or released application. Those that wait already are due then. */
export async function insertMessages(
  tx: Queryable,
  applicationId: number,
  planned: readonly PlannedMessage[],
): Promise<void> {
  if (planned.length === 0) return;
  const { kind, nextAttemptAt, state } = applicationMessages;
  await tx
    .insert(applicationMessages)
    .values(planned.map((message) => ({ ...message, applicationId })))
    .onConflictDoUpdate({
      target: [applicationMessages.applicationId, kind],
      set: { nextAttemptAt: sql`excluded.next_attempt_at` },
      setWhere: sql`${state} = 'waiting' and ${nextAttemptAt} > excluded.next_attempt_at`,
    });
}

export function isWaiting(kind?: MessageKind): SQL | undefined {
  const { kind: column, state } = applicationMessages;
  return and(eq(state, 'waiting'), kind === undefined ? undefined : eq(column, kind));
}

type Ended = Exclude<ApplicationMessageInsert['state'], 'waiting' | undefined>;

/** Ends those of these messages that wait. */
export async function endMessages(
  tx: Queryable,
  which: SQL | undefined,
  { state, reason = null }: { state: Ended; reason?: string | SQL | null },
): Promise<void> {
  const ended = { state, reason, endedAt: sql`now()` };
  await tx.update(applicationMessages).set(ended).where(and(isWaiting(), which));
}

/** Records an attempt of waiting messages. One that isn't accepted waits on, unless its recipient is refused for good. */
export async function recordResult(
  tx: Queryable,
  which: SQL | undefined,
  result: DeliveryResult,
): Promise<void> {
  const reason = 'reason' in result ? result.reason : null;
  if (result.outcome === 'delivered') return endMessages(tx, which, { state: 'sent' });
  if (result.outcome === 'failed' && result.refusal === 'recipient')
    return endMessages(tx, which, { state: 'refused', reason });
  await tx.update(applicationMessages).set({ reason }).where(and(isWaiting(), which));
  return undefined;
}

/** Ends receipts and notices of applications that were answered, and messages that nobody accepted for two days. */
export async function endOldMessages(tx: Queryable): Promise<void> {
  const { applicationId, createdAt, kind, reason } = applicationMessages;
  const answered = tx
    .select({ id: providerApplications.id })
    .from(providerApplications)
    .where(and(eq(providerApplications.id, applicationId), ne(providerApplications.status, 'new')));
  const isOfArrival = inArray(kind, ['receipt', 'notice']);
  await endMessages(tx, and(isOfArrival, exists(answered)), { state: 'withheld', reason: answeredReason });
  const isOld = lte(createdAt, sql`now() - interval '${sql.raw(String(attemptsEndAfterHours))} hours'`);
  await endMessages(tx, isOld, { state: 'refused', reason: sql`concat_ws(' ', ${reason}, ${tooOld}::text)` });
}

/** The receipts of applications by their numbers. `heldReason`: why none is sent now. */
export async function listReceipts(
  db: Queryable,
  ids: readonly number[],
  heldReason: string | null,
): Promise<Map<number, AdminApplication['receipt']>> {
  if (ids.length === 0) return new Map();
  const { applicationId, kind, state, reason } = applicationMessages;
  const rows = await db
    .select({ applicationId, state, reason })
    .from(applicationMessages)
    .where(and(eq(kind, 'receipt'), inArray(applicationId, [...ids])));
  return new Map(
    rows.map((row) => [
      row.applicationId,
      { state: row.state, reason: row.state === 'waiting' ? (heldReason ?? row.reason) : row.reason },
    ]),
  );
}
