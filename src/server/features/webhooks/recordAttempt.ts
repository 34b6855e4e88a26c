import { eq } from 'drizzle-orm';
import type { DisabledReason, MessageState } from '#shared/admin/webhooks.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import {
  leads,
  webhookEvents,
  webhookMessages,
  type WebhookMessageRow,
  webhookAttempts,
} from '#server/db/schema/index.ts';
import { recordAudit, system } from '../audit/audit.ts';
import { countFailure, disableEndpoint, endFailures } from './endpointHealth.ts';
import type { Attempt } from './postMessage.ts';
import { nextAttemptAt } from './retrySchedule.ts';

interface Tried {
  message: Pick<WebhookMessageRow, 'id' | 'endpointId'>;
  attempt: Attempt;
  now: Date;
  /** A test is never tried again, and its failure isn't held against the endpoint. */
  isTest?: boolean;
}

/**
 * Writes down how a try ended, and what follows: the message is over or has its next try, and the endpoint's failures are counted. One that is switched
 * off for them has its line in the audit log.
 */
export function recordAttempt(db: Database, tried: Tried): Promise<void> {
  const { message, attempt, now, isTest = false } = tried;
  const { endpointId } = message;
  return db.transaction(async (tx) => {
    // The endpoint before the message, as disableEndpoint() has it.
    if (attempt.delivered) await endFailures(tx, endpointId);
    const isHeld = !attempt.delivered && (!isTest || attempt.gone);
    const reason = isHeld ? await countFailure(tx, { endpointId, gone: attempt.gone, now }) : null;
    const [row] = await tx
      .select()
      .from(webhookMessages)
      .where(eq(webhookMessages.id, message.id))
      .for('update');
    // Its endpoint was removed meanwhile.
    if (row === undefined) return;
    await tx
      .update(webhookMessages)
      .set({ ...follows(row, tried), attempts: row.attempts + 1, lastStatus: attempt.status })
      .where(eq(webhookMessages.id, row.id));
    await insertAttempt(tx, { ...tried, attempt: await withoutErased(tx, row.eventId, attempt) });
    if (reason !== null) await switchOff(tx, { endpointId, reason, now });
  });
}

async function switchOff(
  tx: Queryable,
  off: { endpointId: string; reason: DisabledReason; now: Date },
): Promise<void> {
  if (!(await disableEndpoint(tx, off))) return;
  const subject = { kind: 'endpoint', id: off.endpointId };
  const detail = { reason: off.reason };
  await recordAudit(tx, { actor: system, ip: null, action: 'endpoint.disable', subject, detail });
}

type Following = Pick<WebhookMessageRow, 'state' | 'nextAttemptAt' | 'reason'>;

function follows(row: WebhookMessageRow, { attempt, now, isTest = false }: Tried): Partial<Following> {
  if (attempt.delivered) return over('delivered', null);
  // What was cancelled while it was under way stays so.
  if (row.state !== 'queued') return {};
  const attempts = row.attempts + 1;
  const { permanent, retryAfterSeconds, reason } = attempt;
  const next = permanent || isTest ? null : nextAttemptAt({ attempts, now, retryAfterSeconds });
  return next === null ? over('failed', reason) : { state: 'queued', nextAttemptAt: next, reason };
}

function over(state: MessageState, reason: string | null): Following {
  return { state, nextAttemptAt: null, reason };
}

/** Of an answer nothing is kept once the person it may name is erased. The lock waits for an erasure that is under way. */
async function withoutErased(tx: Queryable, eventId: string, attempt: Attempt): Promise<Attempt> {
  const [lead] = await tx
    .select({ erasedAt: leads.erasedAt })
    .from(leads)
    .innerJoin(webhookEvents, eq(webhookEvents.leadId, leads.id))
    .where(eq(webhookEvents.id, eventId))
    .for('share', { of: leads });
  return lead === undefined || lead.erasedAt === null ? attempt : { ...attempt, answer: null };
}

async function insertAttempt(tx: Queryable, { message, attempt, now }: Tried): Promise<void> {
  const { durationMs, status, reason, answer } = attempt;
  await tx.insert(webhookAttempts).values({
    messageId: message.id,
    at: now,
    durationMs,
    outcome: attempt.delivered ? 'delivered' : 'failed',
    status,
    reason,
    answer,
  });
}
