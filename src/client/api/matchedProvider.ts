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
  early.set(id, loadEarly(id));
}

async function loadEarly(id: number): Promise<ProviderView | null> {
  const provider = await load(id);
  if (provider === null) early.delete(id);
  else known.set(id, provider);
  return provider;
}

/** A provider whose early request has returned. */
export function findKnownProvider(id: number): ProviderView | null {
  return known.get(id) ?? null;
}

/**
 * The provider of a confirmation. An early request that failed is repeated. Null if it can't be fetched, which is
 * logged.
 */
export async function fetchMatchedProvider(id: number): Promise<ProviderView | null> {
  const request = early.get(id);
  early.delete(id);
  return (await request) ?? load(id);
}

async function load(id: number): Promise<ProviderView | null> {
  const trpc = await import('./trpc.ts').catch(() => null);
  try {
    if (trpc === null) throw new Error('No code for requests');
    return toProviderView(await trpc.trpcClient.providers.get.query({ id }));
  } catch (error) {
    const status = trpc?.toApiError(error).status ?? null;
    logFailure('Failed to load the provider', status === null ? 'no usable response' : String(status));
    return null;
  }
}
