import {
  deliveryHealth as deliveryHealthOutput,
  demand as demandOutput,
  firstDeliveries as firstDeliveriesOutput,
  insightsRange,
  leadsByDay as leadsByDayOutput,
} from '#shared/insights.ts';
import { router, staffOrToken } from '../../trpc/init.ts';
import { deliveryHealth } from './deliveryHealth.ts';
import { demand } from './demand.ts';
import { firstDeliveries } from './firstDeliveries.ts';
import { leadsByDay } from './leadsByDay.ts';

const reading = staffOrToken('viewer', 'leads:read').input(insightsRange);

export const insightsRouter = router({
  leadsByDay: reading.output(leadsByDayOutput).query(({ ctx, input }) => leadsByDay(ctx.services.db, input)),

  firstDeliveries: reading
    .output(firstDeliveriesOutput)
    .query(({ ctx, input }) => firstDeliveries(ctx.services.db, input)),

  deliveryHealth: reading
    .output(deliveryHealthOutput)
    .query(({ ctx, input }) => deliveryHealth(ctx.services.db, input)),

  demand: reading.output(demandOutput).query(({ ctx, input }) => demand(ctx.services, input)),
});
