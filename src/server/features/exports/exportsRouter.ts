import { z } from 'zod';
import { leadFilter } from '#shared/admin/adminLeads.ts';
import { providerGroups } from '#shared/admin/adminProviders.ts';
import { insightsExportInput } from '#shared/admin/insights.ts';
import { personFileInput } from '#shared/admin/erasure.ts';
import { router, type StaffAction, staffOrToken, staffProcedure } from '#server/procedures.ts';
import { exportPerson } from '../erasure/personExport.ts';
import { recordAudit } from '../audit/audit.ts';
import { csvFile, type ExportFile, jsonFile } from './csv.ts';
import { insightsCsv } from './insightsCsv.ts';
import { leadsCsv, providersCsv } from './listCsv.ts';

const providersExportInput = z.object({ status: z.enum(providerGroups).default('active') });

/** Recorded before the first row is read: the person who starts an export may see part of it. */
function auditExport(
  { services, actor, ip }: StaffAction,
  action: 'leads.export' | 'providers.export' | 'insights.export',
  detail: object,
): Promise<void> {
  return recordAudit(services.db, { actor, ip, action, subject: null, detail });
}

/** Counts the rows that were read for a file. Their number is known only afterwards, and the file may be cut. */
function countRows(
  { services, actor, ip }: StaffAction,
  action: 'leads.export' | 'providers.export',
): (rows: number) => void {
  let isPart = false;
  return (rows) => {
    services.auditCounts.count({ actor, ip, action, subject: null, rows, isPart });
    isPart = true;
  };
}

/** Files, by REST only: they are streamed, which tRPC responses are not. Not part of the app's router. */
export const exportsRouter = router({
  leads: staffOrToken('viewer', 'leads:read')
    .input(leadFilter)
    .query(async ({ ctx, input }): Promise<ExportFile> => {
      // The search may be a person's name or address.
      const { search, ...filter } = input;
      await auditExport(ctx.staffAction, 'leads.export', { ...filter, searched: (search ?? '') !== '' });
      const { replica, now } = ctx.services;
      const onRows = countRows(ctx.staffAction, 'leads.export');
      const chunks = replica.stream((db) => leadsCsv(db, input, onRows));
      return csvFile('leads', now(), chunks);
    }),

  providers: staffOrToken('viewer', 'providers:read')
    .input(providersExportInput)
    .query(async ({ ctx, input }): Promise<ExportFile> => {
      await auditExport(ctx.staffAction, 'providers.export', input);
      const { replica, now } = ctx.services;
      const onRows = countRows(ctx.staffAction, 'providers.export');
      const chunks = replica.stream((db) => providersCsv(db, input.status, onRows));
      return csvFile(`providers-${input.status}`, now(), chunks);
    }),

  insights: staffOrToken('viewer', 'leads:read')
    .input(insightsExportInput)
    .query(async ({ ctx, input }): Promise<ExportFile> => {
      await auditExport(ctx.staffAction, 'insights.export', input);
      const { services } = ctx;
      return csvFile(`insights-${input.figure}`, services.now(), insightsCsv(services, input));
    }),

  /** All data stored about the person of a lead, from the primary: a person's file is complete. */
  person: staffProcedure('owner')
    .input(personFileInput)
    .query(async ({ ctx, input }): Promise<ExportFile> => {
      const { services, actor, ip } = ctx.staffAction;
      const { leadId } = input;
      const { text, leftOut } = await exportPerson(services, input);
      const subject = { kind: 'lead', id: leadId };
      await recordAudit(services.db, {
        actor,
        ip,
        action: 'person.export',
        subject,
        // A count only: the file contains the log, and entries are never removed from it.
        ...(leftOut === 0 ? {} : { detail: { leftOut } }),
      });
      return jsonFile(`person-of-lead-${leadId}`, text);
    }),
});
