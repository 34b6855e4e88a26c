import {
  deliveryListInput,
  deliveryListOutput,
  queueHealth,
  retryDeliveriesInput,
  retryDeliveriesOutput,
} from '#shared/admin/adminDeliveries.ts';
import { router, staffProcedure } from '#server/procedures.ts';
import { listDeliveries } from './deliveryList.ts';
import { readQueueHealth } from './queueHealth.ts';
import { retryDeliveries } from './retryDeliveries.ts';

export const deliveriesRouter = router({
  list: staffProcedure('viewer')
    .input(deliveryListInput)
    .output(deliveryListOutput)
    .query(({ ctx: { services }, input }) => listDeliveries(services, input)),

  /** Has deliveries tried at once, their schedule begun anew. */
  retry: staffProcedure('manager')
    .input(retryDeliveriesInput)
    .output(retryDeliveriesOutput)
    .mutation(async ({ ctx, input }) => ({ queued: await retryDeliveries(ctx, input.ids) })),

  queueHealth: staffProcedure('viewer')
    .output(queueHealth)
    .query(({ ctx: { services } }) => readQueueHealth(services.db, services.now())),
});
