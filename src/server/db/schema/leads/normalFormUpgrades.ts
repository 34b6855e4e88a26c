import { sql } from 'drizzle-orm';
import { bigint, check, pgTable, text } from 'drizzle-orm/pg-core';

/** Rows that may have contact details in the normal form of 1.0.0. */
export const upgradedTables = ['leads', 'consent_records'] as const;

/** How far the rows of a table were compared with the current normal form (features/erasure/upgradeForms.ts). */
export const normalFormUpgrades = pgTable(
  'normal_form_upgrades',
  {
    tableName: text('table_name', { enum: upgradedTables }).primaryKey(),
    lastId: bigint('last_id', { mode: 'number' }).notNull().default(0),
  },
  (table) => [
    check('normal_form_upgrades_table_name_check', sql`${table.tableName} in ('leads', 'consent_records')`),
  ],
);
