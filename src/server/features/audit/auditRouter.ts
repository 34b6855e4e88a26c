import { and, desc, eq, lt, type SQL } from 'drizzle-orm';
import type { z } from 'zod';
import {
  type AuditLine,
  auditListInput,
  type AuditListInput,
  auditListOutput,
  auditPageSize,
} from '#shared/admin/audit.ts';
import { router, staffProcedure } from '#server/procedures.ts';
import type { Queryable } from '#server/db/connect.ts';
import { isWithin } from '#server/db/isWithin.ts';
import { auditLog, type AuditLogRow } from '#server/db/schema/index.ts';
import { type AuditNames, readAuditNames } from './auditNames.ts';

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
