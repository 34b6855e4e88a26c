import { adminApplicationsRouter } from '../features/applications/adminApplicationsRouter.ts';
import { adminLeadsRouter } from '../features/leads/adminLeadsRouter.ts';
import { adminProvidersRouter } from '../features/providers/adminProvidersRouter.ts';
import { applicationsRouter } from '../features/applications/applicationsRouter.ts';
import { deliveriesRouter } from '../features/deliveries/deliveriesRouter.ts';
import { eventsRouter } from '../features/webhooks/webhooksRouter.ts';
import { insightsRouter } from '../features/insights/insightsRouter.ts';
import { leadOutcomesRouter } from '../features/outcomes/leadOutcomesRouter.ts';
import { leadsRouter } from '../features/leads/leadsRouter.ts';
import { mailOutboxRouter } from '../features/mail/mailOutboxRouter.ts';
import { matchingRouter } from '../features/matching/matchingRouter.ts';
import { personsRouter } from '../features/erasure/personsRouter.ts';
import { placesRouter } from '../features/matching/placesRouter.ts';
import { providersRouter } from '../features/providers/providersRouter.ts';
import { apiTokensRouter } from '../features/auth/apiTokensRouter.ts';
import { auditRouter } from '../features/audit/auditRouter.ts';
import { staffAccountsRouter } from '../features/auth/staffAccountsRouter.ts';
import { staffRouter } from '../features/auth/staffRouter.ts';
import { staffTasksRouter } from '../features/withdrawals/staffTasksRouter.ts';
import { suppressionsRouter } from '../features/withdrawals/suppressionsRouter.ts';
import { syncRouter } from '../features/sync/syncRouter.ts';
import { router } from '../procedures.ts';

/** Every procedure there is; tRPC, REST and server rendering all call these. */
export const appRouter = router({
  adminApplications: adminApplicationsRouter,
  adminLeads: adminLeadsRouter,
  adminProviders: adminProvidersRouter,
  apiTokens: apiTokensRouter,
  applications: applicationsRouter,
  audit: auditRouter,
  deliveries: deliveriesRouter,
  events: eventsRouter,
  insights: insightsRouter,
  leadOutcomes: leadOutcomesRouter,
  leads: leadsRouter,
  mailOutbox: mailOutboxRouter,
  matching: matchingRouter,
  persons: personsRouter,
  places: placesRouter,
  providers: providersRouter,
  staff: staffRouter,
  staffAccounts: staffAccountsRouter,
  staffTasks: staffTasksRouter,
  suppressions: suppressionsRouter,
  sync: syncRouter,
});

export type AppRouter = typeof appRouter;
