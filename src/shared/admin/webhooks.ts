import { z } from 'zod';
import { parseUrl } from '../formats/parseUrl.ts';

/** What integrators can be told of, as the standard's names (standardwebhooks.com): thing, full stop, what befell it. */
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

/** Sent only when somebody presses the button, to one endpoint, whatever it asked for. */
export const testType = 'webhook.test';

/** `thin`: ids and names of fields. `full`: a lead's contact details and a clinic's public record too. */
export const eventPayloads = ['thin', 'full'] as const;
export type EventPayload = (typeof eventPayloads)[number];

/** `queued`: to be tried, for the first time or again. `cancelled`: its endpoint was switched off first. */
export const messageStates = ['queued', 'delivered', 'failed', 'cancelled'] as const;
export type MessageState = (typeof messageStates)[number];

/** Why an endpoint is off: staff's doing, too many failures for too long, or it answered 410 Gone. */
export const disabledReasons = ['staff', 'failing', 'gone'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** After so many failures in a row owners are warned; after so many, the first of them a day ago, the endpoint is switched off. */
export const failuresToWarn = 5;
export const failuresToDisable = 20;
export const failingHoursToDisable = 24;

export const endpointsMax = 20;
export const replaysMax = 10_000;
/** After a rotation messages are signed by both secrets for so long. */
export const bothSecretsHours = 24;
export const eventsKeptDays = 30;
export const messagePageSize = 50;

const endpointId = z.uuid();
const messageId = z.number().int().positive();

export const webhookEndpoint = z.object({
  id: endpointId,
  url: z.string(),
  description: z.string(),
  /** Empty: all, also those there will be. */
  types: z.array(z.enum(eventTypes)),
  payload: z.enum(eventPayloads),
  /** `failing`: on, and the last five tries or more went wrong. */
  state: z.enum(['on', 'failing', 'off']),
  disabled_reason: z.enum(disabledReasons).nullable(),
  disabled_at: z.iso.datetime().nullable(),
  /** In a row, since the last success. */
  failures: z.number().int(),
  failing_since: z.iso.datetime().nullable(),
  /** Until when messages are signed by the secret before this one too; null: by one alone. */
  both_secrets_until: z.iso.datetime().nullable(),
  created_by: z.string(),
  created_at: z.iso.datetime(),
});
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;

const endpointFields = {
  url: z
    .string()
    .trim()
    .min(1, 'URL is required')
    .max(2000, 'Use at most 2,000 characters')
    .refine((text) => {
      const url = parseUrl(text);
      return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
    }, 'Give an address that begins with https://')
    .refine((text) => {
      const url = parseUrl(text);
      return url === null || (url.username === '' && url.password === '' && url.hash === '');
    }, 'Leave out user name, password and anything after #'),
  description: z.string().trim().max(200, 'Use at most 200 characters'),
  types: z
    .array(z.enum(eventTypes))
    .max(eventTypes.length)
    .transform((types) => eventTypes.filter((type) => types.includes(type))),
  payload: z.enum(eventPayloads),
};

export const endpointCreateInput = z.object(endpointFields);
export type EndpointCreateInput = z.infer<typeof endpointCreateInput>;
export const endpointUpdateInput = z.object({ id: endpointId, ...endpointFields });
export type EndpointUpdateInput = z.infer<typeof endpointUpdateInput>;
export const endpointIdInput = z.object({ id: endpointId });
export const endpointSwitchInput = z.object({ id: endpointId, on: z.boolean() });
/** The only time the secret is seen. */
export const endpointSecretOutput = z.object({ endpoint: webhookEndpoint, secret: z.string() });

/** How one try ended. */
export const attemptResult = z.object({
  delivered: z.boolean(),
  /** 'HTTP 200'; null when nothing was answered. */
  status: z.string().nullable(),
  duration_ms: z.number().int(),
  /** A sentence when it failed. */
  reason: z.string().nullable(),
});
export type AttemptResult = z.infer<typeof attemptResult>;

export const webhookMessage = z.object({
  id: messageId,
  /** Its `webhook-id`. */
  webhook_id: z.string(),
  endpoint_id: endpointId,
  type: z.string(),
  lead_id: z.number().int().nullable(),
  provider_id: z.number().int().nullable(),
  /** When what it tells of happened. */
  at: z.iso.datetime(),
  state: z.enum(messageStates),
  attempts: z.number().int(),
  next_try_at: z.iso.datetime().nullable(),
  last_status: z.string().nullable(),
  reason: z.string().nullable(),
});
export type WebhookMessage = z.infer<typeof webhookMessage>;

export const messageListInput = z.object({
  endpointId: endpointId.optional(),
  state: z.enum(messageStates).optional(),
  /** Older than this one. */
  before: messageId.optional(),
});
/** Newest first. `next` is the `before` of the page after it, null on the last. */
export const messageListOutput = z.object({
  messages: z.array(webhookMessage),
  next: messageId.nullable(),
});
export type MessageList = z.infer<typeof messageListOutput>;

export const messageIdInput = z.object({ id: messageId });

export const messageAttempt = attemptResult.extend({
  at: z.iso.datetime(),
  /** What was answered, its first kilobyte, without contact details. */
  answer: z.string().nullable(),
});
export type MessageAttempt = z.infer<typeof messageAttempt>;

export const replaySinceInput = z.object({
  endpointId,
  since: z.iso.datetime({ error: 'Choose a day and time' }),
  /** An event of that instant, with which the replay before this one ended. */
  after: z.uuid().optional(),
});
/** `next`: where to go on, when there are more than may be replayed at once. */
export const replaySinceOutput = z.object({
  queued: z.number().int(),
  next: replaySinceInput.pick({ since: true }).extend({ after: z.uuid() }).nullable(),
});
export type ReplayRest = NonNullable<z.infer<typeof replaySinceOutput>['next']>;
