import { adminApplicationsRouter, applicationsRouter } from '../features/applications/applicationsRouter.ts';
import { alertsRouter } from '../features/alerts/alertsRouter.ts';
import { adminLeadsRouter } from '../features/leads/adminLeadsRouter.ts';
import { adminProvidersRouter, providersRouter } from '../features/providers/providersRouter.ts';
import { deliveriesRouter } from '../features/deliveries/deliveriesRouter.ts';
import { webhooksRouter } from '../features/webhooks/webhooksRouter.ts';
import { insightsRouter } from '../features/insights/insightsRouter.ts';
import { leadOutcomesRouter } from '../features/outcomes/leadOutcomesRouter.ts';
import { leadsRouter } from '../features/leads/leadsRouter.ts';
import { mailOutboxRouter } from '../features/mail/mailOutboxRouter.ts';
import { matchingRouter, placesRouter } from '../features/matching/matchingRouter.ts';
import { personalDataRouter } from '../features/erasure/personalDataRouter.ts';
import { apiTokensRouter, staffAccountsRouter, staffRouter } from '../features/auth/authRouter.ts';
import { auditRouter } from '../features/audit/auditRouter.ts';
import { staffTasksRouter } from '../features/withdrawals/withdrawalsRouter.ts';
import { suppressionsRouter } from '../features/withdrawals/withdrawalsRouter.ts';
import { syncRouter } from '../features/sync/syncRouter.ts';
import { router } from '../procedures.ts';

/** All procedures, for tRPC, REST and server rendering. */
export const appRouter = router({
  alerts: alertsRouter,
  adminApplications: adminApplicationsRouter,
  adminLeads: adminLeadsRouter,
  adminProviders: adminProvidersRouter,
  apiTokens: apiTokensRouter,
  applications: applicationsRouter,
  audit: auditRouter,
  deliveries: deliveriesRouter,
  webhooks: webhooksRouter,
  insights: insightsRouter,
  leadOutcomes: leadOutcomesRouter,
  leads: leadsRouter,
  mailOutbox: mailOutboxRouter,
  matching: matchingRouter,
  personalData: personalDataRouter,
  places: placesRouter,
  providers: providersRouter,
  staff: staffRouter,
  staffAccounts: staffAccountsRouter,
  staffTasks: staffTasksRouter,
  suppressions: suppressionsRouter,
  sync: syncRouter,
});

export type AppRouter = typeof appRouter;
