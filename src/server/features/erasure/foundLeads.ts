import type { PersonLead } from '#shared/admin/erasure.ts';
import type { ConsentRecordRow, LeadRow } from '#server/db/schema/index.ts';
import { AppError } from '#server/errors.ts';
import { getIdentity } from '../identity/identity.ts';
import { getMailbox } from '../identity/mailbox.ts';

/** A lead that shares email, mailbox or phone with the requested one, as staff see it. */
export interface FoundLead extends Omit<PersonLead, 'created_at'> {
  createdAt: Date;
}

/** The columns that are read of evidence. */
export type FoundRecord = Pick<
  ConsentRecordRow,
  'id' | 'leadId' | 'firstName' | 'lastName' | 'email' | 'phone' | 'acceptedAt'
>;

type Named = Pick<LeadRow, 'firstName' | 'lastName'>;

/** A name for comparison, without case, accents and extra spaces. */
function nameKey({ firstName, lastName }: Named): string {
  return `${firstName} ${lastName}`
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '')
    .join(' ');
}

export function isSameName(one: Named, other: Named): boolean {
  return nameKey(one) === nameKey(other);
}

/**
 * How each lead was found, by ascending id. Purged leads are found by their evidence. `stored` are leads whose evidence
 * was found, but which have other details since staff corrected them: the first ones may have been a stranger's.
 */
export function foundLeads(
  asked: Named & Pick<LeadRow, 'emailNorm'>,
  { rows, stored }: { rows: readonly LeadRow[]; stored: readonly LeadRow[] },
  records: readonly FoundRecord[],
): FoundLead[] {
  const mailbox = getMailbox(asked.emailNorm);
  const foundBy = (email: string): FoundLead['foundBy'] => {
    if (email === asked.emailNorm) return 'email';
    return getMailbox(email) === mailbox ? 'mailbox' : 'phone';
  };
  const found = new Map<number, FoundLead>();
  const add = (row: LeadRow, by: FoundLead['foundBy']): void => {
    const { id, createdAt, firstName, lastName, email, phone } = row;
    const standing = row.deletedAt === null ? 'kept' : 'deleted';
    const lead = { id, createdAt, name: `${firstName} ${lastName}`, email, phone, standing } as const;
    found.set(id, { ...lead, foundBy: by, isSameName: isSameName(asked, row) });
  };
  for (const row of rows) add(row, foundBy(row.emailNorm));
  for (const row of stored) {
    const typed = records
      .filter(({ leadId }) => leadId === row.id)
      .map((record) => getIdentity(record).emailNorm);
    add(row, typed.some((email) => foundBy(email) !== 'phone') ? 'former' : 'phone');
  }
  for (const record of records) {
    const { leadId: id, acceptedAt: createdAt, firstName, lastName, email, phone } = record;
    if (found.has(id)) continue;
    const lead = {
      id,
      createdAt,
      name: `${firstName} ${lastName}`,
      email,
      phone,
      standing: 'purged',
    } as const;
    const { emailNorm } = getIdentity(record);
    found.set(id, { ...lead, foundBy: foundBy(emailNorm), isSameName: isSameName(asked, record) });
  }
  return [...found.values()].toSorted((a, b) => a.id - b.id);
}

/** The choice of the staff member among the found leads. */
export interface Choice {
  /** The person's leads among those found by phone only. */
  samePhone?: readonly number[] | undefined;
  /** The person's leads among those found by another spelling of the mailbox, or by an address that staff corrected. */
  sameMailbox?: readonly number[] | undefined;
  /** The leads that were shown. Without it, they are not checked. */
  shown?: readonly number[] | undefined;
}

/**
 * The ids of the person's leads: those with the email, and the chosen ones. Throws CONFLICT if a chosen lead wasn't
 * found, or a found lead wasn't shown.
 */
export function ownIds(
  found: readonly FoundLead[],
  { samePhone = [], sameMailbox = [], shown }: Choice,
): Set<number> {
  const named = new Set([...samePhone, ...sameMailbox]);
  const own = new Set(
    found.filter(({ id, foundBy }) => foundBy === 'email' || named.has(id)).map(({ id }) => id),
  );
  const seen = shown === undefined ? own : new Set([...shown, ...named]);
  if ([...named].some((id) => !own.has(id)) || [...own].some((id) => !seen.has(id)))
    throw new AppError('CONFLICT', 'More leads were found. Review the list again.');
  return own;
}
