import { and, asc, eq, inArray, or, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { PersonFileInput } from '#shared/admin/erasure.ts';
import type { Queryable } from '#server/db/connect.ts';
import { exportedColumns, type PersonalTable, pickExported } from '#server/db/personalColumns.ts';
import {
  assignmentUndos,
  auditLog,
  consentErasures,
  consentFormSnapshots,
  consentRecords,
  consentSealQueue,
  consentSeals,
  consentWithdrawals,
  deliveries,
  deliveryAttempts,
  idempotencyKeys,
  leadAttribution,
  leadCorrections,
  leadNotes,
  leadOutcomes,
  leadReminders,
  outcomeChoices,
  overLimitLeads,
  problemReports,
  recipientEmails,
  staffTasks,
  type SuppressionRow,
  suppressions,
  webhookEvents,
} from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { listReportIds } from '../claims/problemReports.ts';
import { listSuppressions } from '../suppression/suppressions.ts';
import { findPerson, type Person, type PersonKey } from './findPerson.ts';

/** The deliveries of a person's leads, and the webhooks of their events. */
function isAboutPerson(db: Queryable, { leadIds }: Person): SQL | undefined {
  const events = db
    .select({ id: webhookEvents.id })
    .from(webhookEvents)
    .where(inArray(webhookEvents.leadId, leadIds));
  return or(inArray(deliveries.leadId, leadIds), inArray(deliveries.eventId, events));
}

/** An entry of the list. If another person's or an erased lead caused it, only its existence is exported. */
function ownSuppression(row: SuppressionRow, { leadIds }: Person): object {
  const { kind, valueHmac, leadId } = row;
  return leadId !== null && leadIds.includes(leadId) ? row : { kind, valueHmac, leadId: null };
}

/** `identityKey` finds suppressions, which are stored as keyed hashes. */
type Read = (db: Queryable, person: Person, identityKey: Buffer) => Promise<object[]>;

/** Reads the exported columns of a table's rows whose key is one of these ids, in the order of some columns. */
function readOwn(
  table: PersonalTable,
  ids: 'leadIds' | 'recordIds',
  [key, ...order]: readonly [PgColumn, ...PgColumn[]],
): Read {
  return (db, person) =>
    db
      .select(exportedColumns(table))
      .from(key.table)
      .where(inArray(key, person[ids]))
      .orderBy(...order);
}

/** How to read the personal data in each table. A test fails for a table that refers to leads and is not listed. */
export const personTables: Readonly<Record<string, Read>> = {
  leads: (_, { leads, leadIds }) =>
    Promise.resolve(
      leads.map(({ duplicateOf, ...lead }) => ({
        ...pickExported('leads', lead),
        // Not the id of another person's lead.
        duplicateOf: leadIds.includes(duplicateOf ?? 0) ? duplicateOf : null,
      })),
    ),
  lead_attribution: readOwn('leadAttribution', 'leadIds', [leadAttribution.leadId]),
  /** Without staff’s names. */
  lead_corrections: readOwn('leadCorrections', 'leadIds', [leadCorrections.leadId, leadCorrections.id]),
  /** Without staff’s names. */
  lead_notes: readOwn('leadNotes', 'leadIds', [leadNotes.leadId, leadNotes.id]),
  lead_reminders: readOwn('leadReminders', 'leadIds', [leadReminders.leadId, leadReminders.at]),
  consent_records: (db, { recordIds }) =>
    db
      .select({ record: consentRecords, form: consentFormSnapshots.html })
      .from(consentRecords)
      .leftJoin(consentFormSnapshots, eq(consentFormSnapshots.sha256, consentRecords.formSha256))
      .where(inArray(consentRecords.id, recordIds))
      .orderBy(asc(consentRecords.id))
      .then((rows) => rows.map(({ record, form }) => ({ ...record, form }))),
  consent_seals: readOwn('consentSeals', 'recordIds', [consentSeals.recordId]),
  consent_seal_queue: readOwn('consentSealQueue', 'recordIds', [consentSealQueue.recordId]),
  consent_erasures: readOwn('consentErasures', 'recordIds', [consentErasures.recordId]),
  consent_withdrawals: readOwn('consentWithdrawals', 'leadIds', [consentWithdrawals.leadId]),
  deliveries: (db, person) =>
    db
      .select(exportedColumns('deliveries'))
      .from(deliveries)
      .where(isAboutPerson(db, person))
      .orderBy(deliveries.createdAt),
  /** Without the clinic's address. */
  delivery_attempts: (db, person) => {
    const ids = db.select({ id: deliveries.id }).from(deliveries).where(isAboutPerson(db, person));
    return db
      .select(exportedColumns('deliveryAttempts'))
      .from(deliveryAttempts)
      .where(inArray(deliveryAttempts.deliveryId, ids))
      .orderBy(deliveryAttempts.id);
  },
  assignment_undos: readOwn('assignmentUndos', 'leadIds', [assignmentUndos.leadId]),
  over_limit_leads: readOwn('overLimitLeads', 'leadIds', [overLimitLeads.leadId]),
  recipient_emails: (db, { leadIds }) => {
    const ids = db.select({ id: deliveries.id }).from(deliveries).where(inArray(deliveries.leadId, leadIds));
    return db
      .select(exportedColumns('recipientEmails'))
      .from(recipientEmails)
      .where(inArray(recipientEmails.deliveryId, ids));
  },
  problem_reports: async (db, person) =>
    db
      .select(exportedColumns('problemReports'))
      .from(problemReports)
      .where(inArray(problemReports.id, await listReportIds(db, person)))
      .orderBy(problemReports.id),
  staff_tasks: readOwn('staffTasks', 'leadIds', [staffTasks.leadId, staffTasks.id]),
  lead_outcomes: readOwn('leadOutcomes', 'leadIds', [leadOutcomes.leadId, leadOutcomes.id]),
  /** Without the clinic's address. */
  outcome_choices: readOwn('outcomeChoices', 'leadIds', [outcomeChoices.leadId, outcomeChoices.id]),
  webhook_events: readOwn('webhookEvents', 'leadIds', [
    webhookEvents.leadId,
    webhookEvents.at,
    webhookEvents.id,
  ]),
  idempotency_keys: readOwn('idempotencyKeys', 'leadIds', [idempotencyKeys.leadId]),
  suppressions: (db, person, identityKey) =>
    db
      .select()
      .from(suppressions)
      .where(or(listSuppressions(identityKey, person), inArray(suppressions.leadId, person.leadIds)))
      .then((rows) => rows.map((row) => ownSuppression(row, person))),
  /** Without actors and their addresses, which are staff's data. */
  audit_log: (db, person) =>
    db
      .select({
        at: auditLog.at,
        action: auditLog.action,
        leadId: auditLog.subjectId,
        detail: auditLog.detail,
      })
      .from(auditLog)
      .where(and(eq(auditLog.subjectKind, 'lead'), inArray(auditLog.subjectId, person.leadIds.map(String))))
      .orderBy(auditLog.id),
};

/**
 * All data stored about a person as JSON, rows by table, in one snapshot. `found`: how each lead was found. `leftOut`
 * counts leads that share only the phone or mailbox and weren't chosen. Throws what `findPerson` does.
 */
export async function exportPerson(
  { db, dataKeys, now }: Pick<Services, 'db' | 'dataKeys' | 'now'>,
  {
    samePhone,
    sameMailbox,
    ...asked
  }: PersonKey & Partial<Pick<PersonFileInput, 'samePhone' | 'sameMailbox'>>,
): Promise<{ text: string; leadIds: number[]; leftOut: number }> {
  const { key } = await dataKeys.current('identity');
  return db.transaction(
    async (tx) => {
      const person = await findPerson(tx, asked, { samePhone, sameMailbox });
      const { askedId: leadId } = person;
      const found = person.found
        .filter(({ id }) => person.leadIds.includes(id))
        .map(({ id, foundBy, isSameName }) => ({ leadId: id, foundBy, isSameName }));
      const rows: Record<string, object[]> = {};
      for (const [table, read] of Object.entries(personTables)) rows[table] = await read(tx, person, key);
      const text = `${JSON.stringify({ exportedAt: now(), leadId, found, ...rows }, null, 2)}\n`;
      return { text, leadIds: person.leadIds, leftOut: person.found.length - found.length };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}
