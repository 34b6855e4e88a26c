import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import type { z } from 'zod';
import type { confirmProviderInput, confirmProviderOutput } from '#shared/admin/adminProviders.ts';
import { type ProviderRow, providers } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { AppError, notFound } from '#server/errors.ts';
import type { Actor } from '../auth/actor.ts';
import { clearAlert } from '../alerts/alerts.ts';
import { recordAudit } from '../audit/audit.ts';
import { recordEvents } from '../webhooks/recordEvents.ts';
import { providerChanged } from './providerEvents.ts';

interface ConfirmAction {
  services: Pick<Services, 'db'>;
  actor: Actor;
  ip: string | null;
}

const alreadySynced = 'The sync updates that provider already, under another WordPress ID.';

const differsNow =
  'The row of the sync has another email address or ZIP code by now. Correct it in its source, then confirm again.';

type Compared = Pick<ProviderRow, 'email' | 'zipCode'>;

/** As the sync compared them. */
function looksSame(own: Compared, waiting: Compared): boolean {
  return own.zipCode === waiting.zipCode && own.email.toLowerCase() === waiting.email.toLowerCase();
}

/**
 * Ends that a provider of the sync waits. If it is the one that exists only here, that one gets its WordPress ID, so
 * that the next sync updates it, and the waiting row, which was never active, is removed. Otherwise the next sync that
 * has it activates it. Throws NOT_FOUND unless it waits, and
 * CONFLICT if another row has become that one, or the waiting one has another email address or ZIP code by now.
 */
export function confirmProvider(
  { services: { db }, actor, ip }: ConfirmAction,
  { id, isSame }: z.output<typeof confirmProviderInput>,
): Promise<z.output<typeof confirmProviderOutput>> {
  return db.transaction(async (tx) => {
    const isWaiting = and(eq(providers.id, id), isNotNull(providers.waitsForId));
    const [waiting] = await tx.select().from(providers).where(isWaiting).for('update');
    if (waiting === undefined || waiting.waitsForId === null) throw notFound('Waiting provider');
    if (isSame) {
      const [own] = await tx
        .select()
        .from(providers)
        .where(eq(providers.id, waiting.waitsForId))
        .for('update');
      // A later push may have changed the row, and confirming it would send the provider's leads elsewhere.
      if (own === undefined || !looksSame(own, waiting)) throw new AppError('CONFLICT', differsNow);
      await tx.delete(providers).where(eq(providers.id, id));
      const { wordpressId } = waiting;
      const isFree = and(eq(providers.id, waiting.waitsForId), isNull(providers.wordpressId));
      const [synced] = await tx.update(providers).set({ wordpressId }).where(isFree).returning();
      if (synced === undefined) throw new AppError('CONFLICT', alreadySynced);
      await recordEvents(tx, [providerChanged(synced, { isDeactivated: false })]);
    } else await tx.update(providers).set({ waitsForId: null }).where(eq(providers.id, id));
    await clearAlert(tx, { kind: 'provider-unconfirmed', subject: String(id) });
    const subject = { kind: 'provider', id: waiting.waitsForId } as const;
    const detail = { isSame, wordpressId: waiting.wordpressId };
    await recordAudit(tx, { actor, ip, action: 'provider.confirm', subject, detail });
    return { id: isSame ? waiting.waitsForId : id };
  });
}
