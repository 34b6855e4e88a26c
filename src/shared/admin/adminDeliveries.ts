import { z } from 'zod';
import { timeFilter } from '../formats/day.ts';
import { deliveryChannels, deliveryStates } from './deliveries.ts';
import { attemptResult, eventTypes, testType } from './webhooks.ts';

export const deliveriesPageSize = 50;
/** The count stops here. */
export const deliveriesCountMax = 10_000;

const id = z.number().int().positive();

export const deliveryEventTypes = [...eventTypes, testType] as const;

/** Which deliveries staff look at. Webhooks are visible to owners only. */
const deliveryFilter = z.object({
  state: z.enum(deliveryStates).optional(),
  channel: z.enum(deliveryChannels).optional(),
  /** Webhooks to one endpoint. */
  endpointId: z.uuid().optional(),
  /** Webhooks of one event type. */
  eventType: z.enum(deliveryEventTypes).optional(),
  /** Deliveries of a lead, and webhooks of its events. */
  leadId: id.optional(),
  ...timeFilter,
});
export type DeliveryFilter = z.infer<typeof deliveryFilter>;

export const deliveryListInput = deliveryFilter.extend({
  page: z.number().int().min(1).max(10_000).default(1),
  limit: z.number().int().min(1).max(100).default(deliveriesPageSize),
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

const adminDelivery = z
  .object({
    id: z.uuid(),
    /**
     * The lead that it is about. `name` is null after the lead was purged, as a webhook outlives it, and for a token
     * without `leads:read`.
     */
    lead: z.object({ id, name: z.string().nullable(), isDeleted: z.boolean() }).nullable(),
    channel: z.enum(deliveryChannels),
    /** The provider that it goes to or is about. */
    provider: z.object({ id, name: z.string() }).nullable(),
    /** Set for webhooks only. */
    event: z.object({ type: z.string(), webhookId: z.string() }).nullable(),
    /** Set for webhooks only. `host` is null after the endpoint was removed. */
    endpoint: z.object({ id: z.uuid(), host: z.string().nullable() }).nullable(),
    state: z.enum(deliveryStates),
    isInProgress: z.boolean(),
    /**
     * Whether staff may retry it: never while its channel isn't configured. A cancelled one only after the suppression that was the reason was lifted; a webhook in
     * any state while its endpoint is on, unless it is a test.
     */
    isRetryable: z.boolean(),
    attempts: z.number().int(),
    nextAttemptAt: z.iso.datetime().nullable(),
    reason: z.string().nullable(),
    /** Null: the lead's arrival, or the event. For a token, `Staff` or `System`. */
    requestedBy: z.string().nullable(),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
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
});
export type DeliveryAttempt = z.infer<typeof deliveryAttempt>;
/** `history`: its attempts, oldest first. */
export const deliveryDetail = adminDelivery.extend({ history: z.array(deliveryAttempt) });

export const retryDeliveriesInput = z.object({ ids: z.array(z.uuid()).min(1).max(500) });
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
