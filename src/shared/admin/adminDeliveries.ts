import { z } from 'zod';
import { timeFilter } from '../formats/day.ts';
import { deliveryChannels, deliveryStates } from './deliveries.ts';
import { attemptResult, eventTypes, testType } from './webhooks.ts';

export const deliveriesPageSize = 50;

const id = z.number().int().positive();

export const deliveryEventTypes = [...eventTypes, testType] as const;

/** Which deliveries staff look at. Webhooks are visible to owners only. */
const deliveryFilter = z.object({
  state: z.enum(deliveryStates).optional().meta({ description: 'Deliveries in one state' }),
  channel: z.enum(deliveryChannels).optional().meta({ description: 'Deliveries by one channel' }),
  endpointId: z.uuid().optional().meta({ description: 'Webhooks to one endpoint' }),
  eventType: z.enum(deliveryEventTypes).optional().meta({ description: 'Webhooks of one event type' }),
  leadId: id.optional().meta({ description: 'Deliveries of a lead, and webhooks of its events' }),
  ...timeFilter,
});
export type DeliveryFilter = z.infer<typeof deliveryFilter>;

export const deliveryListInput = deliveryFilter.extend({
  page: z.number().int().min(1).max(10_000).default(1).meta({ description: 'The number of the page' }),
  limit: z
    .number()
    .int()
    .min(1)
    .max(100)
    .default(deliveriesPageSize)
    .meta({ description: 'Deliveries per page' }),
});
export type DeliveryListInput = z.output<typeof deliveryListInput>;

/** The list of deliveries in the dashboard's URL, created on days of the viewer's time zone. */
export const deliverySearch = z.object({
  state: deliveryFilter.shape.state,
  channel: deliveryFilter.shape.channel,
  endpoint: deliveryFilter.shape.endpointId,
  event: deliveryFilter.shape.eventType,
  lead: deliveryFilter.shape.leadId,
  from: timeFilter.from,
  to: timeFilter.to,
  page: deliveryListInput.shape.page,
});
export type DeliverySearch = z.output<typeof deliverySearch>;

export const adminDelivery = z
  .object({
    id: z.uuid().meta({ description: 'The delivery’s ID' }),
    lead: z.object({ id, name: z.string().nullable(), isDeleted: z.boolean() }).nullable().meta({
      description:
        'The lead that it is about. `name` is null after the lead was purged, as a webhook outlives it, and for a token without `leads:read`',
    }),
    channel: z.enum(deliveryChannels).meta({ description: 'How it is sent' }),
    provider: z
      .object({ id, name: z.string() })
      .nullable()
      .meta({ description: 'The provider that it goes to or is about' }),
    event: z
      .object({ type: z.string(), webhookId: z.string() })
      .nullable()
      .meta({ description: 'Set for webhooks only' }),
    endpoint: z
      .object({ id: z.uuid(), host: z.string().nullable() })
      .nullable()
      .meta({ description: 'Set for webhooks only. `host` is null after the endpoint was removed' }),
    state: z.enum(deliveryStates).meta({ description: '`held`: waits until its channel is configured' }),
    isInProgress: z.boolean().meta({ description: 'Whether an attempt is running' }),
    isRetryable: z.boolean().meta({
      description:
        'Whether a retry is possible: never while its channel isn’t configured; of a cancelled one only after the suppression that was the reason was lifted; of a webhook in any state while its endpoint is on, unless it is a test',
    }),
    attempts: z.number().int().meta({ description: 'How many were made' }),
    nextAttemptAt: z.iso.datetime().nullable().meta({ description: 'Null unless it is queued' }),
    reason: z.string().nullable().meta({ description: 'Why it waits, was cancelled or failed' }),
    answerText: z.string().nullable().meta({
      description:
        'The receiver’s own sentence, up to 120 characters: the `message` or `error` of its latest refusal in JSON, or what its mail server said; null without one, and after the delivery succeeded',
    }),
    address: z.string().nullable().meta({
      description:
        'The provider’s address of the latest attempt, or of the coming first one. Null for other channels, for attempts of 1.0.0, and for tokens',
    }),
    requestedBy: z
      .string()
      .nullable()
      .meta({ description: 'Null: the lead’s arrival, or the event. For a token, `Staff` or `System`' }),
    createdAt: z.iso.datetime().meta({ description: 'When it was queued' }),
    finishedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it was delivered, failed or was cancelled' }),
  })
  .meta({ id: 'Delivery', description: 'A message to a person, a provider, a CRM or an endpoint' });
export type AdminDelivery = z.infer<typeof adminDelivery>;

/** Newest first. */
export const deliveryListOutput = z.object({
  deliveries: z.array(adminDelivery),
  total: z.number().int(),
  /** `total` is a minimum. */
  totalIsLeast: z.boolean(),
});
export type DeliveryListOutput = z.infer<typeof deliveryListOutput>;

export const deliveryIdInput = z.object({ id: z.uuid() });
const deliveryAttempt = attemptResult.extend({
  at: z.iso.datetime(),
  /** The first kilobyte of the response, without contact details. */
  answer: z.string().nullable(),
  address: z.string().nullable().meta({
    description:
      'The provider’s address that it went to; null for other channels, attempts of 1.0.0, and tokens',
  }),
});
export type DeliveryAttempt = z.infer<typeof deliveryAttempt>;
export const deliveryDetail = adminDelivery
  .extend({ history: z.array(deliveryAttempt).meta({ description: 'Its attempts, oldest first' }) })
  .meta({ id: 'DeliveryDetail', description: 'A delivery with its attempts' });

export const retryDeliveriesInput = z.object({
  ids: z.array(z.uuid()).min(1).max(500).meta({ description: 'IDs of deliveries' }),
});
/** The deliveries that were queued. Those that `isRetryable` excludes are not. */
export const retryDeliveriesOutput = z.object({ queued: z.array(z.uuid()) });

/** Webhooks are counted for owners only: each figure counts the rows that its link shows. */
export const queueHealth = z.object({
  queued: z.number().int(),
  /** Age of the oldest delivery that is due; null: none is due. */
  oldestDueSeconds: z.number().nullable(),
  failedIn24Hours: z.number().int(),
  /** Lead emails that wait because the hourly limit is reached. */
  overHourlyLimit: z.number().int(),
  held: z.array(z.object({ channel: z.enum(deliveryChannels), reason: z.string(), count: z.number().int() })),
  /** Processes that work on the queue now. */
  workers: z.number().int(),
});
export type QueueHealth = z.infer<typeof queueHealth>;
