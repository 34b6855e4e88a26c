import { instant } from '../formats/day.ts';
import { z } from 'zod';
import { parseUrl } from '../formats/text.ts';

/** Events that endpoints can receive, named after standardwebhooks.com: subject, dot, what happened. */
export const eventTypes = [
  'lead.created',
  'lead.assigned',
  'lead.updated',
  'lead.deleted',
  'lead.erased',
  'lead.consent_revoked',
  'lead.delivery_failed',
  'provider.updated',
  'provider.deactivated',
  'sync.completed',
] as const;
export type EventType = (typeof eventTypes)[number];

/** Sent to one endpoint when staff press the button, whatever its event types are. */
export const testType = 'webhook.test';

/** `thin`: ids and names of fields. `full`: also a lead's contact details and a provider's public record. */
export const eventPayloads = ['thin', 'full'] as const;
export type EventPayload = (typeof eventPayloads)[number];

/** Why an endpoint is off: by staff, after too many failures for too long, or because it answered 410 Gone. */
export const disabledReasons = ['staff', 'failing', 'gone'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** Failures in a row that warn owners. `failuresToDisable`, the first a day ago, switch the endpoint off. */
export const failuresToWarn = 5;
export const failuresToDisable = 20;
export const failingHoursToDisable = 24;

export const endpointsMax = 20;
export const replaysMax = 10_000;
/** After a rotation, requests are signed with both secrets for this long. */
export const bothSecretsHours = 24;

const endpointId = z.uuid();

export const webhookEndpoint = z
  .object({
    id: endpointId.meta({ description: 'The endpoint’s ID' }),
    url: z
      .string()
      .meta({ description: 'Where events are sent; only the origin for a token without `webhooks:write`' }),
    description: z.string().meta({ description: 'For people' }),
    types: z.array(z.enum(eventTypes)).meta({ description: 'Empty: all, including future ones' }),
    payload: z.enum(eventPayloads).meta({ description: '`full` adds contact details' }),
    state: z
      .enum(['on', 'failing', 'off'])
      .meta({ description: '`failing`: on, and at least the last attempts failed' }),
    disabled_reason: z.enum(disabledReasons).nullable().meta({ description: 'Why it is off' }),
    disabled_at: z.iso.datetime().nullable().meta({ description: 'Since when it is off' }),
    failures: z.number().int().meta({ description: 'In a row, since the last success' }),
    failing_since: z.iso.datetime().nullable().meta({ description: 'When the first of them was' }),
    both_secrets_until: z.iso.datetime().nullable().meta({
      description: 'Until when requests are also signed with the previous secret; null: they are not',
    }),
    created_by: z.string().meta({ description: 'Who added it' }),
    created_at: z.iso.datetime().meta({ description: 'When it was added' }),
  })
  .meta({ id: 'WebhookEndpoint', description: 'An endpoint that receives events, without its secrets' });
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;

/** The name of an endpoint. The rest of its URL may be long, and secret. */
export function endpointHost({ url }: Pick<WebhookEndpoint, 'url'>): string {
  return new URL(url).host;
}

const endpointFields = {
  url: z
    .string()
    .trim()
    .min(1, 'URL is required')
    .max(2000, 'Use at most 2,000 characters')
    .refine((text) => {
      const url = parseUrl(text);
      return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
    }, 'Enter a URL that starts with https://')
    .refine((text) => {
      const url = parseUrl(text);
      return url === null || (url.username === '' && url.password === '' && url.hash === '');
    }, 'Leave out user name, password and anything after #')
    .meta({ description: 'Where events are sent' }),
  description: z.string().trim().max(200, 'Use at most 200 characters').meta({ description: 'For people' }),
  types: z
    .array(z.enum(eventTypes))
    .max(eventTypes.length)
    .transform((types) => eventTypes.filter((type) => types.includes(type)))
    .meta({ description: 'Empty: all, including future ones' }),
  payload: z.enum(eventPayloads).meta({ description: '`full` adds contact details' }),
};

export const endpointCreateInput = z.object(endpointFields);
export type EndpointCreateInput = z.infer<typeof endpointCreateInput>;
/** Fields that are left out stay as they are. */
export const endpointUpdateInput = z.object({ id: endpointId, ...z.object(endpointFields).partial().shape });
export type EndpointUpdateInput = z.infer<typeof endpointUpdateInput>;
export const endpointIdInput = z.object({ id: endpointId });
export const endpointSwitchInput = z.object({
  id: endpointId,
  on: z.boolean().meta({ description: 'Whether it receives events' }),
  undo: z.boolean().optional().meta({
    description: 'With `on`: also sends what switching it off cancelled, and the events since',
  }),
});
export type EndpointSwitch = z.infer<typeof endpointSwitchInput>;
/** The only response that contains the secret. */
export const endpointSecretOutput = z.object({ endpoint: webhookEndpoint, secret: z.string() });

export const attemptResult = z.object({
  delivered: z.boolean(),
  /** 'HTTP 200'; null without a response. */
  status: z.string().nullable(),
  duration_ms: z.number().int(),
  /** A sentence when it failed. */
  reason: z.string().nullable(),
});
export type AttemptResult = z.infer<typeof attemptResult>;

export const replaySinceInput = z.object({
  id: endpointId,
  since: instant('Choose a day and time').meta({ description: 'The time of the first event' }),
  after: z
    .uuid()
    .optional()
    .meta({ description: 'The last event of the previous replay, which happened at `since`' }),
});
/** `next`: where to continue, if there are more than `replaysMax`. */
export const replaySinceOutput = z.object({
  queued: z.number().int(),
  next: replaySinceInput.pick({ since: true }).extend({ after: z.uuid() }).nullable(),
});
export type ReplayRest = NonNullable<z.infer<typeof replaySinceOutput>['next']>;
