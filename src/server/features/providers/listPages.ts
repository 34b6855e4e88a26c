import type { ProviderListInput } from '#shared/providers/providerList.ts';
import { AppError } from '#server/errors.ts';
import { createLocalLimiter } from '#server/security/localLimiter.ts';

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

/** Each page costs the database a thousand rows at most. At this pace a script reads 300,000 providers a minute. */
export const pagesPerMinute = 300;
/** Of the parts of a map with more rows than the maps ask for: each costs 30 ms. */
export const largePartsPerMinute = 60;

export interface PageLimits {
  /** Counts a page of a network; `isLarge`: a large part of a map. Throws TOO_MANY_REQUESTS with the seconds to wait. */
  take: (ip: string, page?: { isLarge: boolean }) => Promise<void>;
}

/** Limits the public pages of providers that are read from the database, in the memory of this process. */
export function createPageLimits(): PageLimits {
  const pages = createLocalLimiter({ points: pagesPerMinute, windowSeconds: 60 });
  const largeParts = createLocalLimiter({ points: largePartsPerMinute, windowSeconds: 60 });
  return {
    async take(ip, { isLarge } = { isLarge: false }) {
      const retryAfterSeconds = (isLarge ? await largeParts.take(ip) : null) ?? (await pages.take(ip));
      if (retryAfterSeconds !== null)
        throw new AppError('TOO_MANY_REQUESTS', 'Too many requests. Please try again in a minute.', {
          retryAfterSeconds,
        });
    },
  };
}
