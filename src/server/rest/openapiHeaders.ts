import { z } from 'zod';
import type { RestRoute } from './routes.ts';

/** What a submission may send. */
export const submissionHeaders = z.object({
  'Idempotency-Key': z.string().min(1).max(255).optional().meta({
    description:
      'Kept 24 hours: sent again with the same content, the first answer is repeated; with other content, 422',
  }),
});

/** Of each 429 and 503. */
export const retryHeaders = z.object({
  'Retry-After': z
    .string()
    .meta({ description: 'Seconds after which a repetition makes sense', example: '30' }),
});

const etagHeaders = z.object({ ETag: z.string().meta({ description: 'Weak: the same in every encoding' }) });
export const conditionHeaders = z.object({
  'If-None-Match': z.string().optional().meta({ description: 'An earlier ETag: the response may be 304' }),
});

const rateLimitHeaders = z.object({
  'RateLimit-Policy': z.string().optional().meta({
    description: 'The limits, as in draft-ietf-httpapi-ratelimit-headers',
    example: '"1m";q=300;w=60',
  }),
  RateLimit: z.string().optional().meta({
    description: 'What remains of them',
    example: '"1m";r=299;t=60',
  }),
});

const submissionAnswerHeaders = rateLimitHeaders.extend({
  'Idempotent-Replayed': z
    .string()
    .optional()
    .meta({ description: '`true` if this repeats an earlier response' }),
});

const pageHeaders = z.object({
  Link: z.string().optional().meta({ description: 'The next page, with `rel="next"`' }),
  'X-Total-Count': z.string().optional().meta({ description: 'Providers in all pages of the whole list' }),
});

const taskPageHeaders = pageHeaders.extend({
  'X-Total-Count': z.string().meta({ description: 'Tasks in all pages' }),
});

/** The headers of a successful response. */
export function answerHeaders(route: RestRoute): { headers?: z.ZodObject } {
  const shape = {
    ...(route.access === 'public' ? {} : rateLimitHeaders.shape),
    ...(route.plainForm === undefined
      ? {}
      : route.status === 201
        ? submissionAnswerHeaders.shape
        : rateLimitHeaders.shape),
    ...(route.caching === 'revalidate' ? etagHeaders.shape : {}),
    ...(route.procedure === 'providers.list' ? pageHeaders.shape : {}),
    ...(route.procedure === 'admin.tasks.list' ? taskPageHeaders.shape : {}),
  };
  return Object.keys(shape).length === 0 ? {} : { headers: z.object(shape) };
}
