import { noDataMessage } from '#client/api/apiError.ts';
import type { FormApi, Offline } from '#client/forms/formSession.ts';
import type { Created, Refused } from '#client/forms/useFormController.ts';
import { toApiError, trpcClient } from '#client/api/trpc.ts';
import type { ApplicationCreateInput } from '#shared/applications/applications.ts';

/** After this the applicant is told that no answer came; sending again is safe, as the key is the same. */
const createTimeoutMs = 30_000;

function failureOf(error: unknown): Refused | Offline {
  const { status, message, userMessage, fields } = toApiError(error);
  if (status !== null) return { kind: 'refused', message: userMessage, fields };
  return message === noDataMessage ? { kind: 'refused', message, fields: {} } : { kind: 'offline' };
}

/** The form's calls over tRPC. Its own chunk: nothing of it is needed to show the form. */
export const applicationApi: FormApi<ApplicationCreateInput, Created | Refused | Offline> = {
  fetchFormToken: () => trpcClient.applications.formToken.query(),
  create: async (input, idempotencyKey) => {
    try {
      await trpcClient.applications.create.mutate(input, {
        context: { idempotencyKey },
        signal: AbortSignal.timeout(createTimeoutMs),
      });
      return { kind: 'created' };
    } catch (error) {
      return failureOf(error);
    }
  },
};
