import { AppError } from '#server/errors.ts';
import { createLocalLimiter } from '#server/security/localLimiter.ts';

/** Each page costs the database a thousand rows at most. At this pace a script reads 300,000 providers a minute. */
export const pagesPerMinute = 300;

export interface PageLimits {
  /** Counts a page of a network. Throws TOO_MANY_REQUESTS with the seconds to wait. */
  take: (ip: string) => Promise<void>;
}

/** Limits the public pages of providers that are read from the database, in the memory of this process. */
export function createPageLimits(): PageLimits {
  const pages = createLocalLimiter({ points: pagesPerMinute, windowSeconds: 60 });
  return {
    async take(ip) {
      const retryAfterSeconds = await pages.take(ip);
      if (retryAfterSeconds !== null)
        throw new AppError('TOO_MANY_REQUESTS', 'Too many requests. Please try again in a minute.', {
          retryAfterSeconds,
        });
    },
  };
}
