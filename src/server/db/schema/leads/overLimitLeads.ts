import { bigint, index, pgTable } from 'drizzle-orm/pg-core';
import { instant } from '../../columns.ts';
import { leads } from './leads.ts';

/** Leads over their network's rate limit (`over-limit`), stored until the window allows their release. */
export const overLimitLeads = pgTable(
  'over_limit_leads',
  {
    leadId: bigint('lead_id', { mode: 'number' })
      .primaryKey()
      .references(() => leads.id, { onDelete: 'cascade' }),
    /** When the window may allow it; postponed if it doesn't. */
    releaseAt: instant('release_at').notNull(),
  },
  (table) => [index('over_limit_leads_release_idx').on(table.releaseAt)],
);
