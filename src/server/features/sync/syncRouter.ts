import { z } from 'zod';
import {
  pushBytesMax,
  pushRowsMax,
  pushInput,
  pushOutput,
  syncRun,
  syncRunDetail,
  syncRunInput,
  syncRunOutcome,
} from '#shared/admin/sync.ts';
import { router, staffOrToken, tokenProcedure } from '#server/procedures.ts';
import { recordAudit } from '../audit/audit.ts';
import { pushProviders } from './pushProviders.ts';
import { getRunDetail, listRunsWithFull } from './runRecords.ts';
import { runFromWordPress } from './wordpressRun.ts';

const runsListed = 20;

const flagText = z
  .enum(['1', 'true', '0', 'false'])
  .transform((text) => text === '1' || text === 'true')
  .optional();
const runQuery = z.object({
  kind: syncRunInput.shape.kind.meta({
    description: 'By default, the changes since the last complete run, or everything if there is none',
  }),
  dryRun: flagText.meta({ description: 'Report what would change, without changing it' }),
  force: flagText.meta({ description: 'Run even if a safety limit would stop it' }),
});

const pushQuery = runQuery.pick({ force: true });

export const syncRouter = router({
  /** Responds when the run has ended. A failure of WordPress is `success: false`, as the specification says. */
  run: staffOrToken('manager', 'sync:run')
    .meta({
      noDeadline: true,
      rest: {
        method: 'POST',
        path: '/api/sync',
        summary: 'Sync providers from WordPress',
        description:
          'Reads what changed since the last complete run, or everything (`kind`), and waits for the end. `success` is false if the sync failed; then `error` says why.',
        query: runQuery,
      },
    })
    .input(syncRunInput.optional())
    .output(syncRunOutcome)
    .mutation(async ({ ctx, input }) => {
      const { services, actor, ip } = ctx.staffAction;
      const { kind, dryRun, force } = input ?? { dryRun: false, force: false };
      const by = { startedBy: actor.name, author: { actor, ip } };
      const outcome = await runFromWordPress(services, { kind, dryRun, force, ...by });
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

  /** The newest runs first, and the newest complete run, however old it is. */
  lastRuns: staffOrToken('viewer', 'providers:read')
    .meta({
      rest: {
        method: 'GET',
        path: '/api/sync-runs',
        summary: 'List provider syncs',
        description: 'The newest runs first, and the newest complete one, however old it is.',
      },
    })
    .output(z.object({ runs: z.array(syncRun) }))
    .query(async ({ ctx: { services } }) => ({ runs: await listRunsWithFull(services.db, runsListed) })),

  runDetail: staffOrToken('viewer', 'providers:read')
    .meta({
      rest: {
        method: 'GET',
        path: '/api/sync-runs/{id}',
        summary: 'Read a provider sync',
        description: 'A run with up to 1,000 providers that it skipped or changed, each with the reason.',
      },
    })
    .input(z.object({ id: z.number().int().positive() }))
    .output(syncRunDetail)
    .query(({ ctx: { services }, input }) => getRunDetail(services.db, input.id)),

  /** Of the scripts that own the providers. Staff change what is theirs one by one (`admin.providers.update`). */
  push: tokenProcedure('providers:write')
    .meta({
      noDeadline: true,
      rest: {
        method: 'POST',
        path: '/api/providers/sync',
        summary: 'Push providers',
        description:
          'Creates or updates up to 1,000 providers (at most 8 MiB). Rows are complete and identified by `wordpress_id`: fields that are left out are emptied. Other providers stay unchanged. Returns one result per row, in order. 409 if the pushes of an hour would deactivate too many providers, or take the domains of too many: nothing is changed then, unless `force` is set.',
        query: pushQuery,
        errors: [409],
        list: { name: 'providers', bytesMax: pushBytesMax, rowsMax: pushRowsMax },
      },
    })
    .input(pushInput)
    .output(pushOutput)
    .mutation(async ({ ctx, input }) => {
      const { services, actor, ip } = ctx.staffAction;
      const { providers, force } = input;
      const by = { startedBy: actor.name, author: { actor, ip } };
      const results = await pushProviders(services, providers, { ...by, force });
      const rows = results.length;
      const changed = results.filter(({ result }) => result === 'created' || result === 'updated').length;
      const detail = { rows, changed, ...(force && { force }) };
      await recordAudit(services.db, { actor, ip, action: 'providers.push', subject: null, detail });
      return { results };
    }),
});
