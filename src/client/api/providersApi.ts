import type { PublicProvider } from '#shared/providers/providers.ts';
import { ApiError } from './apiError.ts';

/** Clinics of one status, as anyone may see them. Throws ApiError for any answer but a good one. */
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
