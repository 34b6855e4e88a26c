import { asc, eq } from 'drizzle-orm';
import type { z } from 'zod';
import { leadOutcomeNames } from '#shared/admin/leadCopy.ts';
import type { leadEvent } from '#shared/admin/adminLeads.ts';
import type { Queryable } from '#server/db/connect.ts';
import { leadOutcomes, providers } from '#server/db/schema/index.ts';

/** What clinics told of a lead, oldest first, for its history. */
export async function listOutcomes(db: Queryable, leadId: number): Promise<z.output<typeof leadEvent>[]> {
  const rows = await db
    .select({
      at: leadOutcomes.at,
      by: leadOutcomes.by,
      outcome: leadOutcomes.outcome,
      provider: providers.name,
    })
    .from(leadOutcomes)
    .innerJoin(providers, eq(providers.id, leadOutcomes.providerId))
    .where(eq(leadOutcomes.leadId, leadId))
    .orderBy(asc(leadOutcomes.id));
  return rows.map(({ at, by, outcome, provider }) => ({
    at: at.toISOString(),
    kind: 'outcome',
    by,
    detail: `${leadOutcomeNames[outcome]} (${provider})`,
  }));
}
