import { z } from 'zod';
import {
  deliveryAttempt,
  deliveryAttemptsInput,
  deliveryListInput,
  deliveryListOutput,
  queueHealth,
  retryDeliveriesInput,
  retryDeliveriesOutput,
} from '#shared/admin/adminDeliveries.ts';
import { includesRole, type StaffRole } from '#shared/admin/staff.ts';
import { router, staffProcedure } from '#server/procedures.ts';
import { listAttempts, listDeliveries, type Visibility } from './deliveryList.ts';
import { readQueueHealth } from './queueHealth.ts';
import { retryDeliveries } from './retryDeliveries.ts';

function visibilityOf({ role }: { role: StaffRole }): Visibility {
  return { withWebhooks: includesRole(role, 'owner') };
}

/** Deliveries of all channels. Webhooks exist for owners only. */
export const deliveriesRouter = router({
  list: staffProcedure('viewer')
    .input(deliveryListInput)
    .output(deliveryListOutput)
    .query(({ ctx: { services, actor }, input }) =>
      listDeliveries(services, { ...input, ...visibilityOf(actor) }),
    ),

  attempts: staffProcedure('viewer')
    .input(deliveryAttemptsInput)
    .output(z.array(deliveryAttempt))
    .query(({ ctx: { services, actor }, input }) =>
      listAttempts(services.db, { ...input, ...visibilityOf(actor) }),
    ),

  /** Queues deliveries for an attempt now, with a new retry schedule. */
  retry: staffProcedure('manager')
    .input(retryDeliveriesInput)
    .output(retryDeliveriesOutput)
    .mutation(async ({ ctx, input }) => ({
      queued: await retryDeliveries(ctx, { ...input, ...visibilityOf(ctx.actor) }),
    })),

  queueHealth: staffProcedure('viewer')
    .output(queueHealth)
    .query(({ ctx: { services, actor } }) =>
      readQueueHealth(services.db, { now: services.now(), ...visibilityOf(actor) }),
    ),
});
