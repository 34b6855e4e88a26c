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
    .query(({ ctx: { services }, input }) => services.insightReads(() => leadsByDay(services.db, input))),

  firstDeliveries: reading
    .output(firstDeliveriesOutput)
    .query(({ ctx: { services }, input }) =>
      services.insightReads(() => firstDeliveries(services.db, input)),
    ),

  firstContacts: reading
    .output(firstContactsOutput)
    .query(({ ctx: { services }, input }) => services.insightReads(() => firstContacts(services.db, input))),

  deliveryHealth: reading
    .output(deliveryHealthOutput)
    .query(({ ctx: { services }, input }) => services.insightReads(() => deliveryHealth(services.db, input))),

  demand: reading
    .output(demandOutput)
    .query(({ ctx: { services }, input }) => services.insightReads(() => demand(services, input))),

  formCompletion: reading
    .output(formCompletionOutput)
    .query(({ ctx: { services }, input }) => services.insightReads(() => formCompletion(services.db, input))),
});
