import { trpcClient } from '#client/api/trpc.ts';
import type { FormApi } from '#client/forms/formSession.ts';
import { sendForm } from '#client/forms/sendForm.ts';
import type { ApplicationCreateInput } from '#shared/applications/applications.ts';

/** The form's requests over tRPC. A chunk of its own: none of it is needed to show the form. */
export const applicationApi: FormApi<ApplicationCreateInput, null> = {
  fetchFormToken: () => trpcClient.applications.formToken.query(),
  create: (input, idempotencyKey) =>
    sendForm(idempotencyKey, async (options) => {
      await trpcClient.applications.create.mutate(input, options);
      return null;
    }),
};
