import { requestProviderEarly } from '#client/api/matchedProvider.ts';
import { trpcClient } from '#client/api/trpc.ts';
import type { FormApi } from '#client/forms/formSession.ts';
import { sendForm } from '#client/forms/sendForm.ts';
import type { LeadCreateInput } from '#shared/leads/leads.ts';
import type { PageFormKey } from '#shared/leads/leadForms.ts';
import type { MatchPreview } from '#shared/leads/matching.ts';
import { toFirstPage } from '#shared/pages/firstPages.ts';
import { rememberAttribution } from './attribution.ts';
import { announceLead } from './leadEvents.ts';
import { rememberKey } from './lastSubmission.ts';

/** What a form sends. */
export type LeadInput = LeadCreateInput & { providerId?: number };
/** The provider that the lead was matched with. */
export type MatchedId = number | undefined;

/** A lead form's requests over tRPC. A chunk of its own: none of it is needed to show the form. */
export function leadApi(form: PageFormKey): FormApi<LeadInput, MatchedId> {
  return {
    fetchFormToken: () => {
      const { landing_path: path, utm_campaign: campaign } = rememberAttribution()?.first ?? {};
      // Proxies log URLs: of the visit's path, only a page that the site has is sent.
      const page = toFirstPage({ isProviderSite: false, path });
      return trpcClient.leads.formToken.query({ form, page, campaign });
    },
    create: (input, idempotencyKey) =>
      sendForm(idempotencyKey, async (options) => {
        rememberKey(idempotencyKey);
        const { providerId } = await trpcClient.leads.create.mutate(input, options);
        announceLead();
        return providerId;
      }),
  };
}

/** Reports that the form has a complete ZIP, for the counts of form steps. */
export async function reportZipEntered(form: PageFormKey): Promise<void> {
  await trpcClient.leads.zipEntered.mutate({ form });
}

/** The preview only helps while the visitor is still typing. */
const previewTimeoutMs = 8000;

/** The provider that a ZIP leads to, or null. Rejects if the request fails. Its card for the confirmation follows. */
export async function fetchMatchPreview(zip: string, providerId: number | null): Promise<MatchPreview> {
  const input = providerId === null ? { zip } : { zip, providerId };
  const signal = AbortSignal.timeout(previewTimeoutMs);
  const provider = await trpcClient.matching.preview.mutate(input, { signal });
  if (provider !== null) requestProviderEarly(provider.id);
  return provider;
}

/** Withdraws the sent lead that `key` belongs to. False if the server no longer knows it. */
export async function withdrawLead(key: string): Promise<boolean> {
  return (await trpcClient.leads.withdraw.mutate({ key })).withdrawn;
}

/** Records that the visitor called the provider. `key` is the sent lead's. False if the server no longer knows it. */
export async function recordCall(key: string): Promise<boolean> {
  return (await trpcClient.leads.called.mutate({ key })).recorded;
}
