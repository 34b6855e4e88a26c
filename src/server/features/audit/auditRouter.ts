import { and, desc, eq, inArray, isNull, lt, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import {
  type AuditLine,
  auditListInput,
  type AuditListInput,
  auditListOutput,
  auditPageSize,
} from '#shared/admin/audit.ts';
import { router, staffProcedure } from '#server/procedures.ts';
import type { Queryable } from '#server/db/connect.ts';
import { isWithin } from '#server/db/readRows.ts';
import { auditLog, type AuditLogRow, leads, providers } from '#server/db/schema/index.ts';

/** Names of what entries of the log are about, by id. */
interface AuditNames {
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
async function readAuditNames(db: Queryable, rows: readonly AuditLogRow[]): Promise<AuditNames> {
  const leadIds = new Set(subjectIds(rows, 'lead'));
  const named = rows.flatMap(({ detail }) => providerIds.parse(detail));
  const providerIdsOfRows = new Set([...subjectIds(rows, 'provider'), ...named]);
  const foundLeads = await db
    .select({ id: leads.id, first: leads.firstName, last: leads.lastName })
    .from(leads)
    .where(and(inArray(leads.id, [...leadIds]), isNull(leads.erasedAt)));
  const foundProviders = await db
    .select({ id: providers.id, name: providers.name })
    .from(providers)
    .where(inArray(providers.id, [...providerIdsOfRows]));
  return {
    leads: new Map(foundLeads.map(({ id, first, last }) => [id, `${first} ${last}`])),
    providers: new Map(foundProviders.map(({ id, name }) => [id, name])),
  };
}

function buildCondition(filter: AuditListInput): SQL | undefined {
  const { action, actor, subjectKind, subjectId, before } = filter;
  return and(
    action === undefined ? undefined : eq(auditLog.action, action),
    actor === undefined ? undefined : eq(auditLog.actorName, actor),
    subjectKind === undefined ? undefined : eq(auditLog.subjectKind, subjectKind),
    subjectId === undefined ? undefined : eq(auditLog.subjectId, subjectId),
    isWithin(auditLog.at, filter),
    before === undefined ? undefined : lt(auditLog.id, before),
  );
}

function buildLine(row: AuditLogRow, names: AuditNames): AuditLine {
  const { subjectKind, subjectId } = row;
  const namesOfKind = subjectKind === 'lead' ? names.leads : names.providers;
  const isNamed = subjectKind === 'lead' || subjectKind === 'provider';
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: { kind: row.actorKind, name: row.actorName },
    ip: row.ip,
    action: row.action,
    subject:
      subjectKind === null || subjectId === null
        ? null
        : {
            kind: subjectKind,
            id: subjectId,
            name: isNamed ? (namesOfKind.get(Number(subjectId)) ?? null) : null,
          },
    detail: row.detail === null ? null : Object.fromEntries(Object.entries(row.detail)),
  };
}

/** A page of the log, newest first, starting after an id, so that new entries neither skip nor repeat any. */
async function listAudit(db: Queryable, filter: AuditListInput): Promise<z.infer<typeof auditListOutput>> {
  const rows = await db
    .select()
    .from(auditLog)
    .where(buildCondition(filter))
    .orderBy(desc(auditLog.id))
    .limit(auditPageSize + 1);
  const page = rows.slice(0, auditPageSize);
  const names = await readAuditNames(db, page);
  return {
    lines: page.map((row) => buildLine(row, names)),
    providers: [...names.providers].map(([id, name]) => ({ id, name })),
    next: rows.length > auditPageSize ? (page.at(-1)?.id ?? null) : null,
  };
}

export const auditRouter = router({
  list: staffProcedure('owner')
    .input(auditListInput)
    .output(auditListOutput)
    .query(({ ctx, input }) => listAudit(ctx.services.db, input)),
});
