import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { deliveryChannels } from '#shared/admin/deliveries.ts';
import { instant } from '../../columns.ts';

/**
 * Channels that refuse this installation, not one recipient: a wrong password, a blocked host. A row is deleted when
 * the channel accepts a delivery. Every process reads it before it leases.
 */
export const channelRefusals = pgTable('channel_refusals', {
  channel: text('channel', { enum: deliveryChannels }).primaryKey(),
  since: instant('since').notNull().defaultNow(),
  /** Refused before any recipient was named: one delivery is attempted at this time, and the others wait. */
  nextProbeAt: instant('next_probe_at'),
  /** How many deliveries were attempted since it is paused. */
  probes: integer('probes').notNull().default(0),
  /** It refuses one recipient after the other and accepts none: the refusals are ours. */
  isRun: boolean('is_run').notNull().default(false),
});

export type ChannelRefusalRow = typeof channelRefusals.$inferSelect;
