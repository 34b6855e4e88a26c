import { alertDismissInput, alertListOutput } from '#shared/admin/alerts.ts';
import { includesRole } from '#shared/admin/staff.ts';
import { notFound } from '#server/errors.ts';
import { router, staffProcedure } from '#server/procedures.ts';
import { recordAudit } from '../audit/audit.ts';
import { clearAlert, listAlerts } from './alerts.ts';
import { countWaiting } from './countWaiting.ts';

export const alertsRouter = router({
  list: staffProcedure('viewer')
    .output(alertListOutput)
    .query(async ({ ctx: { services, actor } }) => ({
      ...(await listAlerts(services.db)),
      waiting: await countWaiting(services.db, { withWebhooks: includesRole(actor.role, 'owner') }),
    })),

  /** Ends an alert by hand. If its fault persists, it is raised again. */
  dismiss: staffProcedure('manager')
    .input(alertDismissInput)
    .output(alertDismissInput)
    .mutation(async ({ ctx: { services, staffAction }, input }) => {
      const { actor, ip } = staffAction;
      await services.db.transaction(async (tx) => {
        if (!(await clearAlert(tx, input))) throw notFound('Alert');
        const subject = { kind: 'alert', id: input.kind };
        await recordAudit(tx, { actor, ip, action: 'alert.dismiss', subject, detail: input });
      });
      return input;
    }),
});
