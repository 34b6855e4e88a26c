import {
  deliveryHealth as deliveryHealthOutput,
  demand as demandOutput,
  firstContacts as firstContactsOutput,
  firstDeliveries as firstDeliveriesOutput,
  formCompletion as formCompletionOutput,
  insightsRange,
  leadsByDay as leadsByDayOutput,
} from '#shared/admin/insights.ts';
import { router, staffOrToken } from '#server/procedures.ts';
import { deliveryHealth } from './deliveryHealth.ts';
import { demand } from './demand.ts';
import { firstContacts } from './firstContacts.ts';
import { firstDeliveries } from './firstDeliveries.ts';
import { formCompletion } from './formCompletion.ts';
import { leadsByDay } from './leadsByDay.ts';

const reading = staffOrToken('viewer', 'leads:read').input(insightsRange);

export const insightsRouter = router({
  leadsByDay: reading
    .output(leadsByDayOutput)
    .query(({ ctx: { services }, input }) => services.limits.insightReads((db) => leadsByDay(db, input))),

  firstDeliveries: reading
    .output(firstDeliveriesOutput)
    .query(({ ctx: { services }, input }) =>
      services.limits.insightReads((db) => firstDeliveries(db, input)),
    ),

  firstContacts: reading
    .output(firstContactsOutput)
    .query(({ ctx: { services }, input }) => services.limits.insightReads((db) => firstContacts(db, input))),

  deliveryHealth: reading
    .output(deliveryHealthOutput)
    .query(({ ctx: { services }, input }) => services.limits.insightReads((db) => deliveryHealth(db, input))),

  demand: reading
    .output(demandOutput)
    .query(({ ctx: { services }, input }) =>
      services.limits.insightReads((db) => demand({ ...services, db }, input)),
    ),

  formCompletion: reading
    .output(formCompletionOutput)
    .query(({ ctx: { services }, input }) => services.limits.insightReads((db) => formCompletion(db, input))),
});
