import { deliveryChannels } from '#shared/admin/deliveries.ts';

/** Where pg-boss keeps its tables, beside ours. */
export const jobsSchema = 'pgboss';

/** One queue each, so that no channel waits for another that hangs. */
export const queueNames = deliveryChannels;
export type QueueName = (typeof queueNames)[number];

/** A try to deliver ends within this, whatever the far side does. */
export const attemptLimitSeconds = 15;

/**
 * A job is a wake-up: what is to be done, and whether it still is, stands in the row it names. One whose process died is given out again
 * `expireInSeconds` after it was taken, as often as it takes.
 */
export const queueRules = {
  expireInSeconds: 2 * attemptLimitSeconds,
  retryLimit: 1000,
  retryDelay: 5,
  retentionSeconds: 30 * 86_400,
} as const;

/** How often it is looked for jobs whose process died. */
export const superviseSeconds = 10;
