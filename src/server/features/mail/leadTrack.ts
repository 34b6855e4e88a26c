import { eq, type SQL, sql } from 'drizzle-orm';
import type { MailTrack } from '#shared/mail/mail.ts';
import type { Queryable } from '../../db/connect.ts';
import { deliveries, leadOutcomes, type LeadRow, leads } from '../../db/schema/index.ts';

/** When a lead was sent to a provider, reached and booked; null: not yet, or a later outcome replaced it. */
export interface LeadTrack {
  sent: Date | null;
  reached: Date | null;
  booked: Date | null;
}

/**
 * The same as columns of a query of `leads`, for a provider's id. They name the tables, because drizzle leaves out the
 * names in a query of one table.
 */
export function trackColumns(providerId: SQL): Record<keyof LeadTrack, SQL<Date | null>> {
  const ofProvider = (table: SQL): SQL =>
    sql`${table}.lead_id = leads.id and ${table}.provider_id = ${providerId}`;
  /** The first of these outcomes since the provider reported another. */
  const reportedAt = (outcomes: SQL): SQL<Date | null> => sql`(
    select min(report.at) from lead_outcomes report
    where ${ofProvider(sql`report`)} and report.outcome in (${outcomes}) and report.id > coalesce((
      select max(other.id) from lead_outcomes other
      where ${ofProvider(sql`other`)} and other.outcome not in (${outcomes})), 0))`;
  return {
    sent: sql<Date | null>`(
      select min(email.finished_at) from deliveries email
      where ${ofProvider(sql`email`)} and email.channel = 'provider-email' and email.template = 'lead'
        and email.state = 'delivered')`.mapWith(deliveries.finishedAt),
    reached: reportedAt(sql`'reached', 'booked'`).mapWith(leadOutcomes.at),
    booked: reportedAt(sql`'booked'`).mapWith(leadOutcomes.at),
  };
}

/** The track of a lead in a message about this provider. */
export async function findTrack(
  db: Queryable,
  { id, createdAt }: Pick<LeadRow, 'id' | 'createdAt'>,
  providerId: number | null,
): Promise<MailTrack> {
  const [track] = await db
    .select(trackColumns(sql`${providerId}::bigint`))
    .from(leads)
    .where(eq(leads.id, id));
  return {
    received: createdAt.toISOString(),
    sent: track?.sent?.toISOString() ?? null,
    reached: track?.reached?.toISOString() ?? null,
    booked: track?.booked?.toISOString() ?? null,
  };
}
