import { and, isNotNull, isNull, or, type SQL } from 'drizzle-orm';
import { leads, type LeadRow } from '#server/db/schema/index.ts';

/**
 * The state of a lead. `active` leads are delivered and listed. `quarantined` leads are kept and not delivered. Deleted
 * leads are listed only on request, and keep whether they were quarantined. An erased lead is a tombstone for counts.
 */
export type LeadState = 'active' | 'quarantined' | 'deleted' | 'deleted-quarantined' | 'erased';

/** What happens to a stored lead. It starts as `active` or `quarantined`; a purge and an expiry delete its row. */
export type LeadChange =
  | 'release'
  | 'assign'
  | 'correct'
  | 'rematch'
  | 'report'
  | 'note'
  | 'delete'
  | 'restore'
  | 'erase'
  | 'purge'
  | 'expire';

/** For each change, the states that allow it and the state that follows. Every other change is refused. */
const transitions: Record<LeadChange, Partial<Record<LeadState, LeadState | 'purged'>>> = {
  release: { quarantined: 'active' },
  assign: { active: 'active', quarantined: 'quarantined' },
  correct: { active: 'active', quarantined: 'quarantined' },
  rematch: { active: 'active' },
  report: { active: 'active', quarantined: 'quarantined' },
  // Notes, follow-ups and reminders.
  note: { active: 'active', quarantined: 'quarantined' },
  delete: { active: 'deleted', quarantined: 'deleted-quarantined' },
  restore: { deleted: 'active', 'deleted-quarantined': 'quarantined' },
  erase: { active: 'erased', quarantined: 'erased', deleted: 'erased', 'deleted-quarantined': 'erased' },
  purge: { deleted: 'purged', 'deleted-quarantined': 'purged' },
  // The end of the configured retention.
  expire: { active: 'purged', quarantined: 'purged' },
};

/** The columns that a state is derived from. Checks of the table rule out every other combination. */
type StateColumns = Pick<LeadRow, 'quarantinedAt' | 'deletedAt' | 'erasedAt'>;

export function getState({ quarantinedAt, deletedAt, erasedAt }: StateColumns): LeadState {
  if (erasedAt !== null) return 'erased';
  if (deletedAt !== null) return quarantinedAt === null ? 'deleted' : 'deleted-quarantined';
  return quarantinedAt === null ? 'active' : 'quarantined';
}

/** The state after a change, or null if the state doesn't allow the change. */
export function stateAfter(state: LeadState, change: LeadChange): LeadState | 'purged' | null {
  return transitions[change][state] ?? null;
}

const conditions: Record<LeadState, SQL | undefined> = {
  active: and(isNull(leads.deletedAt), isNull(leads.quarantinedAt)),
  quarantined: and(isNull(leads.deletedAt), isNotNull(leads.quarantinedAt)),
  deleted: and(isNotNull(leads.deletedAt), isNull(leads.erasedAt), isNull(leads.quarantinedAt)),
  'deleted-quarantined': and(
    isNotNull(leads.deletedAt),
    isNull(leads.erasedAt),
    isNotNull(leads.quarantinedAt),
  ),
  erased: isNotNull(leads.erasedAt),
};
const states: readonly LeadState[] = ['active', 'quarantined', 'deleted', 'deleted-quarantined', 'erased'];

/** The condition on `leads` that a change needs. */
export function allows(change: LeadChange): SQL | undefined {
  return or(
    ...states.filter((state) => stateAfter(state, change) !== null).map((state) => conditions[state]),
  );
}
