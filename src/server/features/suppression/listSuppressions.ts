import { inArray, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { suppressionsPageSize, type suppressionListOutput } from '#shared/leads/suppression.ts';
import { leads, type SuppressionRow, suppressions } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { listForms, type Identity, personColumns } from '../identity/identity.ts';
import { hashed } from './suppressions.ts';

type TypedIdentity = Identity & { typed: string };

/** A page of the list, newest first. A value is known as long as the lead that it came from is stored and has it. */
export async function listSuppressions(
  { db, dataKeys }: Pick<Services, 'db' | 'dataKeys'>,
  { page }: { page: number },
): Promise<z.output<typeof suppressionListOutput>> {
  const { key } = await dataKeys.current('identity');
  const rows = await db
    .select()
    .from(suppressions)
    // As its index has them.
    .orderBy(
      sql`${suppressions.at} desc nulls last, ${suppressions.valueHmac} desc nulls last, ${suppressions.kind} desc nulls last`,
    )
    .limit(suppressionsPageSize)
    .offset((page - 1) * suppressionsPageSize);
  const total = await db.$count(suppressions);
  const leadIds = rows.flatMap(({ leadId }) => leadId ?? []);
  const sources = await db
    .select({ id: leads.id, email: leads.email, phone: leads.phone, person: personColumns })
    .from(leads)
    .where(inArray(leads.id, leadIds));
  const byLead = new Map(
    sources.map(({ id, email, phone, person }): [number, TypedIdentity[]] => [
      id,
      listForms(person).map((form) => ({ ...form, typed: form.kind === 'email' ? email : phone })),
    ]),
  );
  const getValue = ({ leadId, kind, valueHmac }: SuppressionRow): string | null =>
    (byLead.get(leadId ?? 0) ?? []).find(
      (form) => form.kind === kind && hashed(key, form).valueHmac === valueHmac,
    )?.typed ?? null;
  return {
    suppressions: rows.map((row) => ({
      ...{ id: row.valueHmac, kind: row.kind, value: getValue(row) },
      ...{ since: row.at.toISOString(), by: row.by, reason: row.reason },
      leadId: row.leadId !== null && byLead.has(row.leadId) ? row.leadId : null,
    })),
    total,
  };
}
