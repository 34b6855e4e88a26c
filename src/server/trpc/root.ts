import { adminApplicationsRouter, applicationsRouter } from '../features/applications/applicationsRouter.ts';
import { claimsRouter, problemsRouter } from '../features/claims/claimsRouter.ts';
import { alertsRouter } from '../features/alerts/alertsRouter.ts';
import { adminLeadsRouter } from '../features/leads/adminLeadsRouter.ts';
import { adminProvidersRouter, providersRouter } from '../features/providers/providersRouter.ts';
import { deliveriesRouter } from '../features/deliveries/deliveriesRouter.ts';
import { webhooksRouter } from '../features/webhooks/webhooksRouter.ts';
import { insightsRouter } from '../features/insights/insightsRouter.ts';
import { leadOutcomesRouter } from '../features/outcomes/leadOutcomesRouter.ts';
import { leadsRouter } from '../features/leads/leadsRouter.ts';
import { unsentMailRouter } from '../features/mail/unsentMailRouter.ts';
import { matchingRouter, placesRouter } from '../features/matching/matchingRouter.ts';
import { personalDataRouter } from '../features/erasure/personalDataRouter.ts';
import { accountsRouter, apiTokensRouter, sessionRouter } from '../features/auth/authRouter.ts';
import { secondFactorRouter, signInStepRouter } from '../features/auth/totpRouter.ts';
import { auditRouter } from '../features/audit/auditRouter.ts';
import {
  adminSuppressionsRouter,
  suppressionsRouter,
  tasksRouter,
} from '../features/withdrawals/withdrawalsRouter.ts';
import { ownProvidersRouter } from '../features/sync/ownProvidersRouter.ts';
import { setupRouter } from '../features/setup/setupRouter.ts';
import { syncRouter } from '../features/sync/syncRouter.ts';
import { router } from '../procedures.ts';

/** All procedures, for tRPC, REST and server rendering. Staff only call those of `admin` and `sync`. */
export const appRouter = router({
  applications: applicationsRouter,
  leads: leadsRouter,
  matching: matchingRouter,
  problems: problemsRouter,
  places: placesRouter,
  providers: providersRouter,
  suppressions: suppressionsRouter,
  sync: syncRouter,
  admin: router({
    accounts: accountsRouter,
    alerts: alertsRouter,
    apiTokens: apiTokensRouter,
    applications: adminApplicationsRouter,
    audit: auditRouter,
    claims: claimsRouter,
    deliveries: deliveriesRouter,
    insights: insightsRouter,
    leads: adminLeadsRouter,
    outcomes: leadOutcomesRouter,
    ownProviders: ownProvidersRouter,
    personalData: personalDataRouter,
    providers: adminProvidersRouter,
    secondFactor: secondFactorRouter,
    session: sessionRouter,
    setup: setupRouter,
    signInStep: signInStepRouter,
    suppressions: adminSuppressionsRouter,
    tasks: tasksRouter,
    unsentMail: unsentMailRouter,
    webhooks: webhooksRouter,
  }),
});

export type AppRouter = typeof appRouter;
