import { applicationsRouter } from '../features/applications/applicationsRouter.ts';
import { leadsRouter } from '../features/leads/leadsRouter.ts';
import { matchingRouter } from '../features/matching/matchingRouter.ts';
import { placesRouter } from '../features/matching/placesRouter.ts';
import { providersRouter } from '../features/providers/providersRouter.ts';
import { router } from './init.ts';

/** Every procedure there is; tRPC, REST and server rendering all call these. */
export const appRouter = router({
  applications: applicationsRouter,
  leads: leadsRouter,
  matching: matchingRouter,
  places: placesRouter,
  providers: providersRouter,
});

export type AppRouter = typeof appRouter;
