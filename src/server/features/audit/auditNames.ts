import { and, inArray, isNull } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable } from '#server/db/connect.ts';
import { type AuditLogRow, leads, providers } from '#server/db/schema/index.ts';

/** Names of what entries of the log are about, by id. */
export interface AuditNames {
  leads: ReadonlyMap<number, string>;
  providers: ReadonlyMap<number, string>;
}

/** The providers that a detail names by id, also those before the change. */
const providerIds = z
  .looseObject({
    providerId: z.number().nullish(),
    before: z.looseObject({ providerId: z.number().nullish() }).optional().catch(undefined),
  })
  .transform(({ providerId, before }) => [providerId, before?.providerId].flatMap((id) => id ?? []))
  .catch([]);

function subjectIds(rows: readonly AuditLogRow[], kind: string): number[] {
  return rows.flatMap(({ subjectKind, subjectId }) => {
    const id = subjectKind === kind ? Number(subjectId) : Number.NaN;
    return Number.isSafeInteger(id) && id > 0 ? [id] : [];
  });
}

/** Today's names: of leads that aren't erased or purged, and of providers. The log itself has none. */
export async function readAuditNames(db: Queryable, rows: readonly AuditLogRow[]): Promise<AuditNames> {
  const leadIds = new Set(subjectIds(rows, 'lead'));
  const named = rows.flatMap(({ detail }) => providerIds.parse(detail));
  const providerIdsOfRows = new Set([...subjectIds(rows, 'provider'), ...named]);
  const foundLeads =
    leadIds.size === 0
      ? []
      : await db
          .select({ id: leads.id, first: leads.firstName, last: leads.lastName })
          .from(leads)
          .where(and(inArray(leads.id, [...leadIds]), isNull(leads.erasedAt)));
  const foundProviders =
    providerIdsOfRows.size === 0
      ? []
      : await db
          .select({ id: providers.id, name: providers.name })
          .from(providers)
          .where(inArray(providers.id, [...providerIdsOfRows]));
  return {
    leads: new Map(foundLeads.map(({ id, first, last }) => [id, `${first} ${last}`])),
    providers: new Map(foundProviders.map(({ id, name }) => [id, name])),
  };
}
