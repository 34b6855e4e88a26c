import { logFailure } from '#client/browser/log.ts';
import type { ProviderView } from '#shared/providers/tenant.ts';
import { toProviderView } from '#shared/providers/providerView.ts';

/** Early requests that nothing has used yet, by the provider's id. */
const early = new Map<number, Promise<ProviderView | null>>();

/** What the early requests returned. */
const known = new Map<number, ProviderView>();

/** Requests a provider that a form named, so that the confirmation has its button for a call at once. */
export function requestProviderEarly(id: number): void {
  if (early.has(id)) return;
  const request = load(id);
  early.set(id, request);
  void request.then((provider) => provider !== null && known.set(id, provider));
}

/** A provider whose early request has returned. */
export function findKnownProvider(id: number): ProviderView | null {
  return known.get(id) ?? null;
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
