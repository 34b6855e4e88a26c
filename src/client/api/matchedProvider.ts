import { logFailure } from '#client/browser/log.ts';
import { type ProviderView, toProviderView } from '#shared/providers/tenant.ts';

/** Early requests that nothing has used yet, by the provider's id. */
const early = new Map<number, Promise<ProviderView | null>>();

/** Starts the confirmation's request while the lead is sent, so that its button for a call is there sooner. */
export function requestProviderEarly(id: number): void {
  if (!early.has(id)) early.set(id, load(id));
}

/** The provider of a confirmation. Null if it can't be fetched, which is logged. */
export function fetchMatchedProvider(id: number): Promise<ProviderView | null> {
  const request = early.get(id) ?? load(id);
  early.delete(id);
  return request;
}

/** The form that led here has loaded the client already. */
async function load(id: number): Promise<ProviderView | null> {
  const { toApiError, trpcClient } = await import('./trpc.ts');
  try {
    return toProviderView(await trpcClient.providers.get.query({ id }));
  } catch (error) {
    const { status } = toApiError(error);
    logFailure('Failed to load the provider', status === null ? 'no usable response' : String(status));
    return null;
  }
}
