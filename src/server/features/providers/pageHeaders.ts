import { type ProviderListInput, providersPageSize } from '#shared/providers/providers.ts';

/** Who gets inactive providers and the fields for staff. */
export const staffList = { role: 'viewer', scope: 'providers:read' } as const;

/** The headers of one page of the list of providers. A list of one page needs none. */
export function pageHeaders(
  { status, page }: ProviderListInput,
  total: number,
): { 'X-Total-Count'?: string; Link?: string } {
  if (total <= providersPageSize) return {};
  const query = new URLSearchParams({ status, page: String(page + 1) });
  return {
    'X-Total-Count': String(total),
    ...(page * providersPageSize < total ? { Link: `</api/providers?${query.toString()}>; rel="next"` } : {}),
  };
}
