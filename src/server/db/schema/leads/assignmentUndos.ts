import { bigint, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../columns.ts';
import { leads } from './leads.ts';

/**
 * What Undo needs to take back the latest assignment of a lead by staff. Written in the transaction of the assignment,
 * and of no use after `undo_until`, when its deliveries leave (features/leads/changes/undoAssignments.ts).
 */
export const assignmentUndos = pgTable(
  'assignment_undos',
  {
    leadId: bigint('lead_id', { mode: 'number' })
      .primaryKey()
      .references(() => leads.id, { onDelete: 'cascade' }),
    /** Who assigned it, and may undo it. Null: the shared password. */
    accountId: bigint('account_id', { mode: 'number' }),
    assignedAt: instant('assigned_at').notNull(),
    undoUntil: instant('undo_until').notNull(),
    /**
     * The provider that it was assigned to, and the reason: as long as the lead has both, nobody moved it again. Null:
     * it was taken away.
     */
    providerId: bigint('provider_id', { mode: 'number' }),
    matchReason: text('match_reason').notNull(),
    /** The columns of the lead that the assignment changed. */
    before: jsonb('before').notNull(),
    /** The deliveries that it caused. */
    created: uuid('created').array().notNull(),
    /** The events that it caused. */
    events: uuid('events').array().notNull(),
    /** The lead's other unfinished and failed deliveries before it, as rows of `deliveries`. */
    moved: jsonb('moved').notNull(),
  },
  (table) => [index('assignment_undos_until_idx').on(table.undoUntil)],
);

export type AssignmentUndoRow = typeof assignmentUndos.$inferSelect;
