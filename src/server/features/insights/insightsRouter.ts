import {
  deliveryHealth as deliveryHealthOutput,
  demand as demandOutput,
  firstContacts as firstContactsOutput,
  firstDeliveries as firstDeliveriesOutput,
  formCompletion as formCompletionOutput,
  insightsProviders,
  type InsightsRange,
  insightsRange,
  insightsSummary,
  leadsByDay as leadsByDayOutput,
  pageRates as pageRatesOutput,
} from '#shared/admin/insights.ts';
import type { Services } from '#server/services.ts';
import { router, staffOrToken } from '#server/procedures.ts';
import { deliveryHealth } from './deliveryHealth.ts';
import { demand } from './demand.ts';
import { firstContacts } from './firstContacts.ts';
import { firstDeliveries } from './firstDeliveries.ts';
import { formCompletion } from './formCompletion.ts';
import { pageRates } from './pageRates.ts';
import { providerFigures } from './providerFigures.ts';
import { summary } from './summary.ts';
import { leadsByDay } from './leadsByDay.ts';

const reading = staffOrToken('viewer', 'leads:read').input(insightsRange);

/** Reads a figure when the limit of such reads allows it. */
function limitReads<Figure>(
  read: (services: Pick<Services, 'db' | 'zipTable'>, range: InsightsRange) => Promise<Figure>,
) {
  return ({ ctx: { services }, input }: { ctx: { services: Services }; input: InsightsRange }) =>
    services.limits.insightReads((db) => read({ ...services, db }, input));
}

export const insightsRouter = router({
  summary: reading.output(insightsSummary).query(limitReads(({ db }, range) => summary(db, range))),
  providers: reading
    .output(insightsProviders)
    .query(limitReads(({ db }, range) => providerFigures(db, range))),
  leadsByDay: reading.output(leadsByDayOutput).query(limitReads(({ db }, range) => leadsByDay(db, range))),
  firstDeliveries: reading
    .output(firstDeliveriesOutput)
    .query(limitReads(({ db }, range) => firstDeliveries(db, range))),
  firstContacts: reading
    .output(firstContactsOutput)
    .query(limitReads(({ db }, range) => firstContacts(db, range))),
  deliveryHealth: reading
    .output(deliveryHealthOutput)
    .query(limitReads(({ db }, range) => deliveryHealth(db, range))),
  demand: reading.output(demandOutput).query(limitReads(demand)),
  formCompletion: reading
    .output(formCompletionOutput)
    .query(limitReads(({ db }, range) => formCompletion(db, range))),
  pageRates: reading.output(pageRatesOutput).query(limitReads(({ db }, range) => pageRates(db, range))),
});
