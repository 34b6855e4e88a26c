import type { PublicProvider } from '#shared/providers/providers.ts';
import { ApiError } from './apiError.ts';

/** Providers of one status, with public fields only. Throws ApiError for a bad status. */
export async function fetchProviders(status: 'active' | 'inactive'): Promise<PublicProvider[]> {
  const query = status === 'active' ? '' : '?status=inactive';
  const response = await fetch(`/api/providers${query}`, { credentials: 'include' });
  if (!response.ok) {
    const body = await response.text();
    throw new ApiError(response.status, body === '' ? response.statusText : body);
  }
  const providers: PublicProvider[] = await response.json();
  return providers;
}
