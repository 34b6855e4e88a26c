import { adminApplicationsRouter } from '../features/adminApplications/adminApplicationsRouter.ts';
import { adminLeadsRouter } from '../features/adminLeads/adminLeadsRouter.ts';
import { adminProvidersRouter } from '../features/adminProviders/adminProvidersRouter.ts';
import { applicationsRouter } from '../features/applications/applicationsRouter.ts';
import { leadsRouter } from '../features/leads/leadsRouter.ts';
import { matchingRouter } from '../features/matching/matchingRouter.ts';
import { placesRouter } from '../features/matching/placesRouter.ts';
import { providersRouter } from '../features/providers/providersRouter.ts';
import { router } from './init.ts';

/** Every procedure there is; tRPC, REST and server rendering all call these. */
export const appRouter = router({
  adminApplications: adminApplicationsRouter,
  adminLeads: adminLeadsRouter,
  adminProviders: adminProvidersRouter,
  applications: applicationsRouter,
  leads: leadsRouter,
  matching: matchingRouter,
  places: placesRouter,
  providers: providersRouter,
});

export type AppRouter = typeof appRouter;
