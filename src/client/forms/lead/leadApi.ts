import { noDataMessage } from '#client/api/apiError.ts';
import { announceLead } from '#client/forms/lead/leadEvents.ts';
import { toApiError, trpcClient } from '#client/api/trpc.ts';
import type { MatchPreview } from '#shared/leads/matching.ts';
import type { LeadApi, SubmitOutcome } from './leadSession.ts';
import { knownFieldErrors } from './fieldMessages.ts';

/** After this the visitor is told that no answer came; sending again is safe, as the key is the same. */
const createTimeoutMs = 30_000;

function failureOf(error: unknown): SubmitOutcome {
  const { status, message, userMessage, fields } = toApiError(error);
  if (status !== null) return { kind: 'refused', message: userMessage, fields: knownFieldErrors(fields) };
  return message === noDataMessage ? { kind: 'refused', message, fields: {} } : { kind: 'offline' };
}

/** A clinic's name is worth waiting for only while someone is typing. */
const previewTimeoutMs = 8000;

/** Which clinic a ZIP leads to; null for none. Throws when the question can't be asked. */
export function fetchMatchPreview(zip: string, providerId: number | null): Promise<MatchPreview> {
  const input = providerId === null ? { zip } : { zip, providerId };
  return trpcClient.matching.preview.mutate(input, { signal: AbortSignal.timeout(previewTimeoutMs) });
}

/** The form's calls over tRPC. Its own chunk: nothing of it is needed to show the form. */
export const leadApi: LeadApi = {
  fetchFormToken: (form) => trpcClient.leads.formToken.query({ form }),
  createLead: async (input, idempotencyKey) => {
    try {
      const { providerId } = await trpcClient.leads.create.mutate(input, {
        context: { idempotencyKey },
        signal: AbortSignal.timeout(createTimeoutMs),
      });
      announceLead();
      return { kind: 'created', providerId };
    } catch (error) {
      return failureOf(error);
    }
  },
};
