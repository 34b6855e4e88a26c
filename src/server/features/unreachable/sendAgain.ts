import { eq } from 'drizzle-orm';
import { includesRole } from '#shared/admin/staff.ts';
import type { SendAgainOutput } from '#shared/admin/adminProviders.ts';
import type { Queryable } from '#server/db/connect.ts';
import { providers } from '#server/db/schema/index.ts';
import { AppError, notFound } from '#server/errors.ts';
import type { Services } from '#server/services.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Actor } from '../auth/actor.ts';
import { forgetUnreachable } from '../mail/unreachableAddresses.ts';
import { requestHolds } from '../outbox/unreachableHolds.ts';
import { complaintReason, lockMark, removeMark } from './addressMarks.ts';
import { markedAddress, clearEndedAlerts } from './listUnreachable.ts';
import { releaseOthers } from './tendMarks.ts';

interface SendAgain {
  services: Pick<Services, 'db' | 'dataKeys' | 'now' | 'wakeSignal'>;
  actor: Actor;
  ip: string | null;
}

/**
 * Ends the mark of a provider's address for all providers that have it, and sends what was held for them, ten at a
 * time, also what isn't sent by itself any more. Audited. If the address refuses email again, it is marked again.
 * Throws NOT_FOUND 'Provider not found', and FORBIDDEN after a complaint, which only an owner lifts.
 */
export async function sendAgain({ services, actor, ip }: SendAgain, id: number): Promise<SendAgainOutput> {
  const { db, dataKeys, now, wakeSignal } = services;
  const { key: identityKey } = await dataKeys.current('identity');
  const at = now();
  const output = await db.transaction(async (tx) => {
    const { address, email, providerIds } = await readAddress(tx, id);
    const mark = await lockMark(tx, address);
    const isOwner = actor.kind === 'staff' && includesRole(actor.role, 'owner');
    if (mark?.cause === 'complaint' && !isOwner) throw new AppError('FORBIDDEN', complaintReason);
    if (mark !== null) await removeMark(tx, mark);
    // Of 1.0.0.
    if (mark?.cause === 'complaint') await forgetUnreachable(tx, { address: email, identityKey });
    const emails = await requestHolds(tx, providerIds, at);
    await releaseOthers(tx, providerIds, at);
    await clearEndedAlerts(tx);
    const detail = { emails, ...(mark === null ? {} : { cause: mark.cause, code: mark.code }) };
    const subject = { kind: 'provider', id };
    await recordAudit(tx, { actor, ip, action: 'provider.send-again', subject, detail });
    return { id, emails };
  });
  wakeSignal.wake();
  return output;
}

/** A provider's address, and the providers that have it. */
async function readAddress(
  tx: Queryable,
  id: number,
): Promise<{ address: string; email: string; providerIds: number[] }> {
  const address = markedAddress(providers.email);
  const [provider] = await tx
    .select({ address, email: providers.email })
    .from(providers)
    .where(eq(providers.id, id));
  if (provider === undefined) throw notFound('Provider');
  const rows = await tx.select({ id: providers.id }).from(providers).where(eq(address, provider.address));
  return { ...provider, providerIds: rows.map((row) => row.id) };
}
