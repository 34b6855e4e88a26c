import { and, eq, inArray } from 'drizzle-orm';
import type { z } from 'zod';
import type {
  applicationApproveOutput,
  applicationIdInput,
  adminApplicationStatusInput,
} from '#shared/applications/adminApplications.ts';
import { answerUndoSeconds } from '#shared/applications/adminApplications.ts';
import { minuteMs } from '#shared/formats/time.ts';
import { deliverableEmail } from '#shared/leads/emailAddress.ts';
import { webHref } from '#shared/providers/tenant.ts';
import type { Queryable } from '#server/db/connect.ts';
import { applicationMessages, providerApplications } from '#server/db/schema/index.ts';
import { AppError, notFound } from '#server/errors.ts';
import type { Services } from '#server/services.ts';
import { recordAudit } from '../audit/audit.ts';
import { deleteOwnProvider, insertOwnProvider, type ProviderAuthor } from '../providers/ownProviders.ts';
import { isWaiting } from './applicationMessages.ts';

const refusals = {
  quarantined: 'It is quarantined. Release it first.',
  approved: 'It was approved. Deactivate its provider instead.',
  sent: 'Already sent',
  used: 'Its provider is active or has leads already.',
  noProvider: 'It wasn’t approved, so there is no address to confirm.',
  justSent: 'The link was sent within the last ten minutes. Please try again later.',
} as const;

/** A link to the same address is sent again after this time at the earliest. */
const againAfterMs = 10 * minuteMs;

interface DecisionAction extends ProviderAuthor {
  services: Pick<Services, 'db' | 'now'>;
}

type Application = typeof providerApplications.$inferSelect;
type AnswerKind = 'confirm' | 'decline';

/** Locks it, so that two people decide one after the other. Throws NOT_FOUND, and CONFLICT for a quarantined one. */
async function lockApplication(tx: Queryable, id: number): Promise<Application> {
  const isThis = eq(providerApplications.id, id);
  const [application] = await tx.select().from(providerApplications).where(isThis).for('update');
  if (application === undefined) throw notFound('Application');
  const { quarantineReason } = application;
  if (quarantineReason !== null && quarantineReason !== 'over-limit')
    throw new AppError('CONFLICT', refusals.quarantined);
  return application;
}

function isAnswer(applicationId: number, kind: AnswerKind) {
  return and(eq(applicationMessages.applicationId, applicationId), eq(applicationMessages.kind, kind));
}

/** Stores an answer, which waits until an Undo is over. A second one of its kind is none. */
async function insertAnswer(
  tx: Queryable,
  applicationId: number,
  { kind, now }: { kind: AnswerKind; now: Date },
): Promise<void> {
  const nextAttemptAt = new Date(now.getTime() + answerUndoSeconds * 1000);
  await tx
    .insert(applicationMessages)
    .values({ applicationId, kind, createdAt: now, nextAttemptAt })
    .onConflictDoNothing({ target: [applicationMessages.applicationId, applicationMessages.kind] });
}

async function set(tx: Queryable, id: number, values: Partial<Application>): Promise<void> {
  await tx.update(providerApplications).set(values).where(eq(providerApplications.id, id));
}

/**
 * Accepts an application: creates its provider, inactive, and sends the link that confirms its address. A second
 * approval returns the same provider. Throws NOT_FOUND, and CONFLICT for a quarantined one.
 */
export function approveApplication(
  { services: { db, now }, actor, ip }: DecisionAction,
  { id }: z.output<typeof applicationIdInput>,
): Promise<z.output<typeof applicationApproveOutput>> {
  return db.transaction(async (tx) => {
    const application = await lockApplication(tx, id);
    if (application.providerId !== null) return { id, providerId: application.providerId, isNew: false };
    const { contactName, practiceName, email, phone, zipCode, website } = application;
    const providerId = await insertOwnProvider(
      tx,
      { actor, ip },
      {
        name: contactName,
        practiceName,
        email: deliverableEmail(email),
        phone,
        zipCode,
        website: webHref(website),
      },
    );
    await set(tx, id, { status: 'accepted', providerId });
    await insertAnswer(tx, id, { kind: 'confirm', now: now() });
    const subject = { kind: 'application', id } as const;
    await recordAudit(tx, { actor, ip, action: 'application.approve', subject, detail: { providerId } });
    return { id, providerId, isNew: true };
  });
}

/** Declines an application with the brand's answer, which is sent once. Throws NOT_FOUND and CONFLICT. */
export function declineApplication(
  { services: { db, now }, actor, ip }: DecisionAction,
  { id }: z.output<typeof applicationIdInput>,
): Promise<z.output<typeof applicationIdInput>> {
  return db.transaction(async (tx) => {
    const application = await lockApplication(tx, id);
    if (application.providerId !== null) throw new AppError('CONFLICT', refusals.approved);
    await set(tx, id, { status: 'declined' });
    await insertAnswer(tx, id, { kind: 'decline', now: now() });
    const subject = { kind: 'application', id } as const;
    if (application.status !== 'declined')
      await recordAudit(tx, { actor, ip, action: 'application.decline', subject });
    return { id };
  });
}

/**
 * Takes an approval or a decline back while its message waits: the message and the new provider are deleted, and the
 * application has its former status. Throws NOT_FOUND, and CONFLICT 'Already sent'.
 */
export function undoDecision(
  { services: { db }, actor, ip }: DecisionAction,
  { id, status }: z.output<typeof adminApplicationStatusInput>,
): Promise<z.output<typeof applicationIdInput>> {
  return db.transaction(async (tx) => {
    const application = await lockApplication(tx, id);
    const isOfDecision = isAnswer(id, application.providerId === null ? 'decline' : 'confirm');
    const [answer] = await tx.select().from(applicationMessages).where(isOfDecision).for('update');
    // A lease moves the next attempt by an hour.
    const isUnsent =
      answer?.state === 'waiting' &&
      answer.nextAttemptAt.getTime() <= answer.createdAt.getTime() + answerUndoSeconds * 1000;
    if (!isUnsent) throw new AppError('CONFLICT', refusals.sent);
    await tx.delete(applicationMessages).where(isOfDecision);
    await set(tx, id, { status, providerId: null });
    if (application.providerId !== null && !(await deleteOwnProvider(tx, application.providerId)))
      throw new AppError('CONFLICT', refusals.used);
    const subject = { kind: 'application', id } as const;
    await recordAudit(tx, { actor, ip, action: 'application.undo', subject, detail: { status } });
    return { id };
  });
}

/**
 * Sends the link that confirms the address of an approved application's provider again, to its present address. Throws
 * NOT_FOUND, CONFLICT without a provider, and TOO_MANY_REQUESTS within ten minutes of the last.
 */
export function sendConfirmation(
  { services: { db, now }, actor, ip }: DecisionAction,
  { id }: z.output<typeof applicationIdInput>,
): Promise<z.output<typeof applicationIdInput>> {
  return db.transaction(async (tx) => {
    const { providerId } = await lockApplication(tx, id);
    if (providerId === null) throw new AppError('CONFLICT', refusals.noProvider);
    const [last] = await tx.select().from(applicationMessages).where(isAnswer(id, 'confirm')).for('update');
    const since = last?.endedAt ?? null;
    if (since !== null && now().getTime() - since.getTime() < againAfterMs && last?.state === 'sent')
      throw new AppError('TOO_MANY_REQUESTS', refusals.justSent, { retryAfterSeconds: againAfterMs / 1000 });
    if (last?.state !== 'waiting') {
      // Its id names the email: with the same one it would look like a repeat.
      await tx.delete(applicationMessages).where(isAnswer(id, 'confirm'));
      await tx
        .insert(applicationMessages)
        .values({ applicationId: id, kind: 'confirm', createdAt: now(), nextAttemptAt: now() });
      const subject = { kind: 'application', id } as const;
      await recordAudit(tx, { actor, ip, action: 'application.send-link', subject });
    }
    return { id };
  });
}

export const isAnswerWaiting = and(
  isWaiting(),
  inArray(applicationMessages.kind, ['confirm', 'decline'] satisfies AnswerKind[]),
);
