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
  weeklyEmailInput,
  weeklyEmailState,
} from '#shared/admin/insights.ts';
import type { Services } from '#server/services.ts';
import { AppError } from '#server/errors.ts';
import { router, staffOrToken, staffProcedure } from '#server/procedures.ts';
import { deliveryHealth } from './deliveryHealth.ts';
import { demand } from './demand.ts';
import { firstContacts } from './firstContacts.ts';
import { firstDeliveries } from './firstDeliveries.ts';
import { formCompletion } from './formCompletion.ts';
import { pageRates } from './pageRates.ts';
import { providerFigures } from './providerFigures.ts';
import { isSubscribed, setWeeklyEmail } from './weeklyEmail.ts';
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
  /** Whether the caller gets the weekly email; null for who can't, as the shared password's owner. */
  weeklyEmail: staffProcedure('viewer')
    .output(weeklyEmailState)
    .query(async ({ ctx: { services, actor } }) => ({
      isOn:
        actor.role !== 'owner' || actor.accountId === null
          ? null
          : await isSubscribed(services.db, actor.accountId),
    })),

  setWeeklyEmail: staffProcedure('owner')
    .input(weeklyEmailInput)
    .output(weeklyEmailState)
    .mutation(async ({ ctx: { services, staffAction }, input: { zone } }) => {
      const { actor, ip } = staffAction;
      const { accountId } = actor;
      if (accountId === null)
        throw new AppError('CONFLICT', 'The shared password has no address. Sign in with an account.');
      await setWeeklyEmail(services, { actor: { ...actor, accountId }, ip, zone });
      return { isOn: zone !== null };
    }),

  pageRates: reading.output(pageRatesOutput).query(limitReads(({ db }, range) => pageRates(db, range))),
});
