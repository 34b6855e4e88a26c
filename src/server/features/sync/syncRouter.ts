import { z } from 'zod';
import {
  pushInput,
  pushOutput,
  syncRun,
  syncRunDetail,
  syncRunInput,
  syncRunOutcome,
} from '#shared/admin/sync.ts';
import { router, staffOrToken } from '#server/procedures.ts';
import { recordAudit } from '../audit/audit.ts';
import { pushProviders } from './pushProviders.ts';
import { getRunDetail, listRunsWithFull } from './runRecords.ts';
import { runFromWordPress } from './wordpressRun.ts';

const runsListed = 20;

export const syncRouter = router({
  /** Answers when the run is over. What fails at WordPress's end is told with success false, as the specification has it. */
  run: staffOrToken('manager', 'sync:run')
    .meta({ unhurried: true })
    .input(syncRunInput.optional())
    .output(syncRunOutcome)
    .mutation(async ({ ctx, input }) => {
      const { services, actor, ip } = ctx.staffAction;
      const { kind, dryRun, force } = input ?? { dryRun: false, force: false };
      const outcome = await runFromWordPress(services, { kind, dryRun, force, startedBy: actor.name });
      const subject = outcome.run === null ? null : ({ kind: 'sync', id: outcome.run.id } as const);
      const detail = { success: outcome.success, ...(dryRun && { dryRun }), ...(force && { force }) };
      await recordAudit(services.db, {
        actor,
        ip,
        action: 'sync.run',
        subject,
        detail,
      });
      return outcome;
    }),

  /** The newest runs first, and the newest of everything however long ago it was. */
  lastRuns: staffOrToken('viewer', 'providers:read')
    .output(z.array(syncRun))
    .query(({ ctx: { services } }) => listRunsWithFull(services.db, runsListed)),

  runDetail: staffOrToken('viewer', 'providers:read')
    .input(z.object({ id: z.number().int().positive() }))
    .output(syncRunDetail)
    .query(({ ctx: { services }, input }) => getRunDetail(services.db, input.id)),

  push: staffOrToken('manager', 'providers:write')
    .meta({ unhurried: true })
    .input(pushInput)
    .output(pushOutput)
    .mutation(async ({ ctx, input }) => {
      const { services, actor, ip } = ctx.staffAction;
      const results = await pushProviders(services, input.providers, actor.name);
      const rows = results.length;
      const changed = results.filter(({ result }) => result === 'created' || result === 'updated').length;
      const detail = { rows, changed };
      await recordAudit(services.db, { actor, ip, action: 'providers.push', subject: null, detail });
      return { results };
    }),
});
