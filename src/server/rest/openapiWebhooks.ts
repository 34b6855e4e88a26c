import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { type EventSchema, eventSchemas } from '../features/webhooks/eventSchemas.ts';

const requestHeaders = z.object({
  'webhook-id': z.string().meta({
    description: 'The same in every attempt and replay',
    example: 'msg_7c9e6679-7425-40de-944b-e07fc1f90ae7',
  }),
  'webhook-timestamp': z
    .string()
    .meta({ description: 'Of the attempt, in seconds since 1970', example: '1780315200' }),
  'webhook-signature': z.string().meta({
    description:
      '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`; two for 24 hours after a rotation',
    example: 'v1,TJv/TjXzk5v+l36DoCYYEcPPJLbqWBCKAa6aZVLoLxw=',
  }),
  traceparent: z.string().meta({ description: 'W3C Trace Context, new in every attempt' }),
});

function webhookOperation(
  type: string,
  { summary, description, data, example }: EventSchema,
): ZodOpenApiOperationObject {
  const schema = z.looseObject({
    type: z.literal(type),
    timestamp: z.iso.datetime().meta({ description: 'When it happened' }),
    data: z.looseObject(data.shape),
  });
  return {
    operationId: `webhook.${type}`,
    tags: [webhookTag.name],
    summary,
    description,
    requestParams: { header: requestHeaders },
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema,
          example: { type, timestamp: '2026-06-01T12:00:00.000Z', data: example },
        },
      },
    },
    responses: {
      '2XX': { description: 'Delivered. Any status from 200 to 299 counts, within 15 seconds.' },
      '410': { description: 'Failed, and the endpoint is disabled' },
      '4XX': { description: 'Failed, without a retry, except 408, 409, 425 and 429' },
      default: { description: 'Tried again, up to eight times over 28 hours' },
    },
  };
}

export const webhookTag = {
  name: 'Webhooks',
  description:
    'What endpoints of integrators receive, signed by Standard Webhooks, and how they are managed.',
} as const;

/** The requests that an endpoint receives, for the OpenAPI document: one for each type of event. */
export function webhookPaths(): ZodOpenApiPathsObject {
  return Object.fromEntries(
    Object.entries(eventSchemas).map(([type, schema]) => [type, { post: webhookOperation(type, schema) }]),
  );
}
