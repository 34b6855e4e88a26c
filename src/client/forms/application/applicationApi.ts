import { trpcClient } from '#client/api/trpc.ts';
import type { FormApi } from '#client/forms/formSession.ts';
import { sendForm } from '#client/forms/sendForm.ts';
import type { ApplicationCreateInput } from '#shared/applications/applications.ts';

/** What the page shows of an application that was sent. */
export interface SentApplication {
  id: number;
  /** To which the receipt goes. */
  email: string;
}

/** The form's requests over tRPC. A chunk of its own: none of it is needed to show the form. */
export const applicationApi: FormApi<ApplicationCreateInput, SentApplication> = {
  fetchFormToken: () => trpcClient.applications.formToken.query(),
  create: (input, idempotencyKey) =>
    sendForm(idempotencyKey, async (options) => {
      const { id } = await trpcClient.applications.create.mutate(input, options);
      return { id, email: input.email.trim() };
    }),
};
