import type { GeoPoint } from '#shared/leads/geo.ts';
import type { PublicProvider } from '#shared/providers/providerFieldLists.ts';
import { ApiError } from './apiError.ts';

/** Providers with public fields only, or how many there are if they are too many for a browser. */
export type ProviderList = { providers: PublicProvider[]; total: null } | { providers: null; total: number };

/** The providers of one status. Throws ApiError for a bad status. */
export async function fetchProviders(status: 'active' | 'inactive'): Promise<ProviderList> {
  const response = await get(`/api/providers${status === 'active' ? '' : '?status=inactive'}`);
  const total = response.headers.get('X-Total-Count');
  return total === null
    ? { providers: await response.json(), total: null }
    : { providers: null, total: Number(total) };
}

/** The providers nearest to a point, the nearest first. Throws ApiError for a bad status. */
export async function fetchNearest(
  { latitude, longitude }: GeoPoint,
  limit: number,
): Promise<PublicProvider[]> {
  return (await get(`/api/providers?near=${latitude},${longitude}&limit=${limit}`)).json();
}

/** Throws ApiError for a bad status, such as 404 for one that is no longer active. */
export async function fetchProvider(id: number): Promise<PublicProvider> {
  return (await get(`/api/providers/${id}`)).json();
}

async function get(path: string): Promise<Response> {
  const response = await fetch(path, { credentials: 'include' });
  if (response.ok) return response;
  const body = await response.text();
  throw new ApiError(response.status, body === '' ? response.statusText : body);
}
