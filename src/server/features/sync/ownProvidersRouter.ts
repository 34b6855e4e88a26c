import {
  adminProvider,
  ownProviderCreateInput,
  ownProviderUpdateInput,
} from '#shared/admin/adminProviders.ts';
import { syncRunOutcome, uploadInput } from '#shared/admin/sync.ts';
import { router, staffProcedure } from '#server/procedures.ts';
import { createTypedProvider, updateTypedProvider } from './typedProvider.ts';
import { uploadProviders } from './uploadProviders.ts';

/** Providers that staff add and edit by hand, by the rules of the sync's rows. */
export const ownProvidersRouter = router({
  create: staffProcedure('manager')
    .input(ownProviderCreateInput)
    .output(adminProvider)
    .mutation(({ ctx, input }) => createTypedProvider(ctx.staffAction, input)),

  update: staffProcedure('manager')
    .input(ownProviderUpdateInput)
    .output(adminProvider)
    .mutation(({ ctx, input }) => updateTypedProvider(ctx.staffAction, input)),

  /** Previews or imports a CSV file with the sync's guards. Providers that it lacks stay as they are. */
  upload: staffProcedure('manager')
    .meta({ noDeadline: true })
    .input(uploadInput)
    .output(syncRunOutcome)
    .mutation(({ ctx, input }) => uploadProviders(ctx.staffAction, input)),
});
