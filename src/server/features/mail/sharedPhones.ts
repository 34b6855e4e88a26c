import { and, asc, desc, eq, inArray, isNull, ne, not, type SQL } from 'drizzle-orm';
import type { DeliveryState } from '#shared/admin/deliveries.ts';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries, type LeadRow, leads } from '#server/db/schema/index.ts';
import { isLeadSuppressed } from '../suppression/suppressions.ts';

/** Numbers of leads in one message. */
const numbersMax = 5;

type SharedBy = Pick<LeadRow, 'emailNorm' | 'phoneE164'>;

/** Leads with the phone of a lead and another email address: nobody has proved that they are the same person's. */
function isOtherWithPhone({ emailNorm, phoneE164 }: SharedBy): SQL | undefined {
  return and(eq(leads.phoneE164, phoneE164), ne(leads.emailNorm, emailNorm), isNull(leads.erasedAt));
}

interface Messages {
  providerId: number;
  template: 'lead' | 'withdrawn';
  states: readonly DeliveryState[];
}

/** The newest of these leads about which a provider gets such a message, by ascending number. */
async function listReceived(
  db: Queryable,
  where: SQL | undefined,
  { providerId, template, states }: Messages,
): Promise<number[]> {
  const rows = await db
    .selectDistinct({ id: leads.id })
    .from(leads)
    .innerJoin(deliveries, eq(deliveries.leadId, leads.id))
    .where(
      and(
        where,
        eq(deliveries.channel, 'provider-email'),
        eq(deliveries.template, template),
        eq(deliveries.providerId, providerId),
        inArray(deliveries.state, [...states]),
      ),
    )
    .orderBy(desc(leads.id))
    .limit(numbersMax);
  return rows.map(({ id }) => id).toReversed();
}

/** A provider's leads of other people who have a lead's phone and may be contacted; null: nobody else has it. */
export async function listOthersWithPhone(
  db: Queryable,
  lead: SharedBy,
  { providerId, identityKey }: { providerId: number; identityKey: Buffer },
): Promise<number[] | null> {
  const where = and(isOtherWithPhone(lead), isNull(leads.deletedAt), not(isLeadSuppressed(identityKey)));
  const [other] = await db.select({ id: leads.id }).from(leads).where(where).orderBy(asc(leads.id)).limit(1);
  return other === undefined
    ? null
    : listReceived(db, where, { providerId, template: 'lead', states: ['delivered'] });
}

/** The other leads with the phone of a lead that a provider was asked to stop contacting, or is about to be. */
export function listOtherStops(db: Queryable, lead: SharedBy, providerId: number): Promise<number[]> {
  const states = ['queued', 'held', 'delivered'] as const;
  return listReceived(db, isOtherWithPhone(lead), { providerId, template: 'withdrawn', states });
}

/** Whether a provider received a lead by email. */
export async function hasReceived(db: Queryable, leadId: number, providerId: number): Promise<boolean> {
  const messages = { providerId, template: 'lead', states: ['delivered'] } as const;
  return (await listReceived(db, eq(leads.id, leadId), messages)).length > 0;
}

/** Whether a lead is stored and has another email address than this one. */
export async function hasOtherEmail(
  db: Queryable,
  { emailNorm }: SharedBy,
  leadId: number | null,
): Promise<boolean> {
  if (leadId === null) return false;
  const [other] = await db.select({ emailNorm: leads.emailNorm }).from(leads).where(eq(leads.id, leadId));
  return other !== undefined && other.emailNorm !== emailNorm;
}
