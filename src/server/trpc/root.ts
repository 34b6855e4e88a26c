import { adminApplicationsRouter } from '../features/adminApplications/adminApplicationsRouter.ts';
import { adminLeadsRouter } from '../features/adminLeads/adminLeadsRouter.ts';
import { adminProvidersRouter } from '../features/adminProviders/adminProvidersRouter.ts';
import { applicationsRouter } from '../features/applications/applicationsRouter.ts';
import { deliveriesRouter } from '../features/deliveries/deliveriesRouter.ts';
import { insightsRouter } from '../features/insights/insightsRouter.ts';
import { leadsRouter } from '../features/leads/leadsRouter.ts';
import { matchingRouter } from '../features/matching/matchingRouter.ts';
import { placesRouter } from '../features/matching/placesRouter.ts';
import { providersRouter } from '../features/providers/providersRouter.ts';
import { apiTokensRouter } from '../features/staff/apiTokensRouter.ts';
import { auditRouter } from '../features/staff/auditRouter.ts';
import { staffAccountsRouter } from '../features/staff/staffAccountsRouter.ts';
import { staffRouter } from '../features/staff/staffRouter.ts';
import { syncRouter } from '../features/sync/syncRouter.ts';
import { router } from './init.ts';

/** Every procedure there is; tRPC, REST and server rendering all call these. */
export const appRouter = router({
  adminApplications: adminApplicationsRouter,
  adminLeads: adminLeadsRouter,
  adminProviders: adminProvidersRouter,
  apiTokens: apiTokensRouter,
  applications: applicationsRouter,
  audit: auditRouter,
  deliveries: deliveriesRouter,
  insights: insightsRouter,
  leads: leadsRouter,
  matching: matchingRouter,
  places: placesRouter,
  providers: providersRouter,
  staff: staffRouter,
  staffAccounts: staffAccountsRouter,
  sync: syncRouter,
});

export type AppRouter = typeof appRouter;
