import type { ProviderListInput } from '#shared/providers/providerList.ts';

/** Who gets inactive providers and the fields for staff. */
export const staffList = { role: 'viewer', scope: 'providers:read' } as const;

interface ListedPage {
  /** How many there are in all, on a page of a list of all. */
  total: number | null;
  /** The cursor of the page that follows, if there is one. */
  next: number | null;
}

/** The headers of one page of the list of providers. The link asks for the same with another cursor. */
export function pageHeaders(
  { status, limit, bbox }: ProviderListInput,
  { total, next }: ListedPage,
): Record<string, string> {
  const query = new URLSearchParams({
    ...(status === 'active' ? {} : { status }),
    ...(limit === undefined ? {} : { limit: String(limit) }),
    ...(bbox === undefined ? {} : { bbox: [bbox.west, bbox.south, bbox.east, bbox.north].join(',') }),
    cursor: String(next),
  });
  return {
    ...(total === null ? {} : { 'X-Total-Count': String(total) }),
    ...(next === null ? {} : { Link: `</api/providers?${query.toString()}>; rel="next"` }),
  };
}
