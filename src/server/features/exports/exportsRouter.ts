import { z } from 'zod';
import { leadFilter } from '#shared/adminLeads.ts';
import { providerGroups } from '#shared/adminProviders.ts';
import { insightsExportInput } from '#shared/insights.ts';
import type { InnerContext } from '../../trpc/context.ts';
import { router, staffOrToken } from '../../trpc/init.ts';
import { plainAddress } from '../leads/consentHash.ts';
import type { Actor } from '../staff/actor.ts';
import { recordAudit } from '../staff/audit.ts';
import { type CsvFile, csvName } from './csvFile.ts';
import { insightsCsv } from './insightsCsv.ts';
import { leadsCsv } from './leadsCsv.ts';
import { providersCsv } from './providersCsv.ts';

const providersExportInput = z.object({ status: z.enum(providerGroups).default('active') });

/** Written before the first row is read: who began an export may have seen some of it. */
function told(
  { services, caller, actor }: InnerContext & { actor: Actor },
  action: 'leads.export' | 'providers.export' | 'insights.export',
  detail: object,
): Promise<void> {
  return recordAudit(services.db, { actor, ip: plainAddress(caller.ip), action, subject: null, detail });
}

/** Files, by REST alone: they are streamed, which tRPC's answers are not. Not part of the app's router. */
export const exportsRouter = router({
  leads: staffOrToken('viewer', 'leads:read')
    .input(leadFilter)
    .query(async ({ ctx, input }): Promise<CsvFile> => {
      // What was searched for may be somebody's name or address.
      const { search, ...filter } = input;
      await told(ctx, 'leads.export', { ...filter, searched: (search ?? '') !== '' });
      return {
        name: csvName('leads', ctx.services.now()),
        chunks: leadsCsv(ctx.services.db, input),
      };
    }),

  providers: staffOrToken('viewer', 'providers:read')
    .input(providersExportInput)
    .query(async ({ ctx, input }): Promise<CsvFile> => {
      await told(ctx, 'providers.export', input);
      return {
        name: csvName(`providers-${input.status}`, ctx.services.now()),
        chunks: providersCsv(ctx.services.db, input.status),
      };
    }),

  insights: staffOrToken('viewer', 'leads:read')
    .input(insightsExportInput)
    .query(async ({ ctx, input }): Promise<CsvFile> => {
      await told(ctx, 'insights.export', input);
      return {
        name: csvName(`insights-${input.figure}`, ctx.services.now()),
        chunks: insightsCsv(ctx.services, input),
      };
    }),
});
