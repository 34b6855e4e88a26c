import { and, eq, isNull } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { leads } from '#server/db/schema/index.ts';

/** Takes the person's consent from one lead. False if it has none, or was erased. */
export async function revokeConsent(tx: Queryable, leadId: number): Promise<boolean> {
  const isOpen = and(eq(leads.id, leadId), eq(leads.acceptanceConsent, true), isNull(leads.erasedAt));
  const { count } = await tx.update(leads).set({ acceptanceConsent: false }).where(isOpen);
  return count > 0;
}
