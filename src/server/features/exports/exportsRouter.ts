import { z } from 'zod';
import { leadFilter } from '#shared/admin/adminLeads.ts';
import { providerGroups } from '#shared/admin/adminProviders.ts';
import { insightsExportInput } from '#shared/admin/insights.ts';
import { personFileInput } from '#shared/admin/erasure.ts';
import { router, type StaffAction, staffOrToken, staffProcedure } from '#server/procedures.ts';
import { exportPerson } from '../erasure/personExport.ts';
import { recordAudit } from '../audit/audit.ts';
import { csvName } from './csvFile.ts';
import type { ExportFile } from './exportFile.ts';
import { insightsCsv } from './insightsCsv.ts';
import { jsonFile } from './jsonFile.ts';
import { leadsCsv } from './leadsCsv.ts';
import { providersCsv } from './providersCsv.ts';

const providersExportInput = z.object({ status: z.enum(providerGroups).default('active') });

/** Recorded before the first row is read: someone who starts an export may have seen some of it. */
function auditExport(
  { services, actor, ip }: StaffAction,
  action: 'leads.export' | 'providers.export' | 'insights.export',
  detail: object,
): Promise<void> {
  return recordAudit(services.db, { actor, ip, action, subject: null, detail });
}

/** Files, by REST alone: they are streamed, which tRPC's answers are not. Not part of the app's router. */
export const exportsRouter = router({
  leads: staffOrToken('viewer', 'leads:read')
    .input(leadFilter)
    .query(async ({ ctx, input }): Promise<ExportFile> => {
      // What was searched for may be somebody's name or address.
      const { search, ...filter } = input;
      await auditExport(ctx.staffAction, 'leads.export', { ...filter, searched: (search ?? '') !== '' });
      return {
        name: csvName('leads', ctx.services.now()),
        chunks: leadsCsv(ctx.services.db, input),
      };
    }),

  providers: staffOrToken('viewer', 'providers:read')
    .input(providersExportInput)
    .query(async ({ ctx, input }): Promise<ExportFile> => {
      await auditExport(ctx.staffAction, 'providers.export', input);
      return {
        name: csvName(`providers-${input.status}`, ctx.services.now()),
        chunks: providersCsv(ctx.services.db, input.status),
      };
    }),

  insights: staffOrToken('viewer', 'leads:read')
    .input(insightsExportInput)
    .query(async ({ ctx, input }): Promise<ExportFile> => {
      await auditExport(ctx.staffAction, 'insights.export', input);
      return {
        name: csvName(`insights-${input.figure}`, ctx.services.now()),
        chunks: insightsCsv(ctx.services, input),
      };
    }),

  /** Everything held about whoever left a lead. */
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
        // How many, never which: the log is in the file, and nothing is taken out of it.
        ...(leftOut === 0 ? {} : { detail: { leftOut } }),
      });
      return jsonFile(`person-of-lead-${leadId}`, text);
    }),
});
