import { z } from 'zod';
import { day } from '../formats/day.ts';
import { deliveryChannels, deliveryStates } from './deliveries.ts';

export const deliveriesPageSize = 50;
/** Beyond it the count is told as that many. */
export const deliveriesCountMax = 10_000;

const id = z.number().int().positive();

/** Which deliveries staff look at. */
export const deliveryFilter = z.object({
  state: z.enum(deliveryStates).optional(),
  channel: z.enum(deliveryChannels).optional(),
  leadId: id.optional(),
  /** Days in UTC on which it was begun, both included. */
  from: day.optional(),
  to: day.optional(),
});
export type DeliveryFilter = z.infer<typeof deliveryFilter>;

export const deliveryListInput = deliveryFilter.extend({
  page: z.number().int().min(1).max(10_000).default(1),
  limit: z.number().int().min(1).max(100).default(deliveriesPageSize),
});
export type DeliveryListInput = z.output<typeof deliveryListInput>;

/** The list of deliveries in the dashboard's URL. */
export const deliverySearch = z.object({
  state: deliveryFilter.shape.state,
  channel: deliveryFilter.shape.channel,
  lead: deliveryFilter.shape.leadId,
  from: deliveryFilter.shape.from,
  to: deliveryFilter.shape.to,
  page: deliveryListInput.shape.page,
});
export type DeliverySearch = z.output<typeof deliverySearch>;

export const adminDelivery = z.object({
  id: z.uuid(),
  lead: z.object({ id, name: z.string(), isDeleted: z.boolean() }),
  channel: z.enum(deliveryChannels),
  /** The clinic it goes to or tells of. */
  provider: z.object({ id, name: z.string() }).nullable(),
  state: z.enum(deliveryStates),
  /** Whether a try is under way. */
  isTried: z.boolean(),
  /** Whether staff may have it tried at once. Of those called off only where a suppression was the reason and was lifted since. */
  isRetryable: z.boolean(),
  attempts: z.number().int(),
  nextAttemptAt: z.iso.datetime().nullable(),
  reason: z.string().nullable(),
  /** Null: the lead's own arrival. */
  requestedBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
});
export type AdminDelivery = z.infer<typeof adminDelivery>;

/** Newest first. */
export const deliveryListOutput = z.object({
  deliveries: z.array(adminDelivery),
  total: z.number().int(),
  /** There are that many or more. */
  totalIsLeast: z.boolean(),
});
export type DeliveryListOutput = z.infer<typeof deliveryListOutput>;

export const retryDeliveriesInput = z.object({ ids: z.array(z.uuid()).min(1).max(500) });
/** Which of them were queued to be tried at once: not those that were delivered or called off, or are being tried. */
export const retryDeliveriesOutput = z.object({ queued: z.array(z.uuid()) });

export const queueHealth = z.object({
  queued: z.number().int(),
  /** How long the one that is due and has waited longest has; null: none is due. */
  oldestDueSeconds: z.number().nullable(),
  failedIn24Hours: z.number().int(),
  /** Lead emails that wait because the hourly limit is reached. */
  overHourlyLimit: z.number().int(),
  held: z.array(z.object({ channel: z.enum(deliveryChannels), reason: z.string(), count: z.number().int() })),
  /** Processes that work on the queue now. */
  workers: z.number().int(),
});
export type QueueHealth = z.infer<typeof queueHealth>;
