import { bigint, check, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';
import { instant } from '../../columns.ts';
import { leads } from './leads.ts';

/**
 * Where a lead came from: at most one first and one last touch each. Click ids and campaign names only, no contact
 * data.
 */
export const leadAttribution = pgTable(
  'lead_attribution',
  {
    leadId: bigint('lead_id', { mode: 'number' })
      .notNull()
      .references(() => leads.id, { onDelete: 'cascade' }),
    touch: text('touch', { enum: ['first', 'last'] }).notNull(),
    utmSource: text('utm_source'),
    utmMedium: text('utm_medium'),
    utmCampaign: text('utm_campaign'),
    utmTerm: text('utm_term'),
    utmContent: text('utm_content'),
    gclid: text('gclid'),
    gbraid: text('gbraid'),
    wbraid: text('wbraid'),
    msclkid: text('msclkid'),
    landingPath: text('landing_path'),
    referrerHost: text('referrer_host'),
    touchedAt: instant('touched_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.leadId, table.touch] }),
    check('lead_attribution_touch_check', sql`${table.touch} in ('first', 'last')`),
    index('lead_attribution_campaign_idx')
      .on(table.utmSource, table.utmCampaign)
      .where(sql`${table.utmSource} is not null`),
  ],
);
