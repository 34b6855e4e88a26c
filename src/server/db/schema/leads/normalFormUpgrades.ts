import { sql } from 'drizzle-orm';
import { bigint, check, pgTable, text } from 'drizzle-orm/pg-core';

/** Rows that may have contact details in the normal form of an earlier version. */
export const upgradedTables = ['leads', 'consent_records'] as const;

/**
 * The names of progress: the tables, as 1.0.1 counts it, and since 1.0.2, which also stores the hashes of mailboxes, the
 * tables with the version. So a process of 1.0.1 beside it skips no row.
 */
export const upgradeNames = ['leads', 'consent_records', 'leads-2', 'consent_records-2'] as const;

/** How far the rows of a table were compared with the current normal form (features/erasure/upgradeForms.ts). */
export const normalFormUpgrades = pgTable(
  'normal_form_upgrades',
  {
    tableName: text('table_name', { enum: upgradeNames }).primaryKey(),
    lastId: bigint('last_id', { mode: 'number' }).notNull().default(0),
  },
  (table) => [
    check(
      'normal_form_upgrades_table_name_check',
      sql`${table.tableName} in ('leads', 'consent_records', 'leads-2', 'consent_records-2')`,
    ),
  ],
);
