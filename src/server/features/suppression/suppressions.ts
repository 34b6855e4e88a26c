import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import type { SuppressionEntry } from '#shared/leads/suppression.ts';
import { leads, type LeadRow, suppressions } from '../../db/schema/index.ts';
import type { Services } from '#server/services.ts';
import {
  identityHash,
  identityHashSql,
  type IdentityKind,
  type IdentityPads,
  identityPads,
} from '../identity/identityHashes.ts';

/** Whom it is about: one who has either is the same person. Normalised as a lead keeps them. */
export type Person = Pick<LeadRow, 'emailNorm' | 'phoneE164'>;

interface Identity {
  kind: IdentityKind;
  value: string;
}

/** E-mail first, always: two that name the same rows then never wait for each other in a circle. */
export function identitiesOf({ emailNorm, phoneE164 }: Partial<Person>): Identity[] {
  return [
    ...(emailNorm === undefined ? [] : [{ kind: 'email', value: emailNorm } as const]),
    ...(phoneE164 === undefined ? [] : [{ kind: 'phone', value: phoneE164 } as const]),
  ];
}

/** The row of the list for an e-mail address or a phone number. */
export function isEntryOf(identityKey: Buffer, { kind, value }: Identity): SQL | undefined {
  return and(eq(suppressions.kind, kind), eq(suppressions.valueHmac, identityHash(identityKey, kind, value)));
}

/** The list's rows for a person. */
export function suppressionsOf(identityKey: Buffer, person: Partial<Person>): SQL | undefined {
  return or(...identitiesOf(person).map((identity) => isEntryOf(identityKey, identity)));
}

/** What isSuppressed() tells, as a part of a query of leads. `pads`: parameters or placeholders with the values of `identityPads`. */
function isLeadSuppressedBy(pads: Record<keyof IdentityPads, unknown>): SQL<boolean> {
  return sql<boolean>`exists (
    select 1 from suppressions listed
    where (listed.kind, listed.value_hmac) in (
      ('email', ${identityHashSql('email', leads.emailNorm, pads)}), ('phone', ${identityHashSql('phone', leads.phoneE164, pads)})))`;
}

/** The same under the identity key. */
export function isLeadSuppressed(identityKey: Buffer): SQL<boolean> {
  return isLeadSuppressedBy(identityPads(identityKey));
}

/**
 * Whether nobody may contact the lead's person any more, by e-mail or phone: to be asked before everything that is sent about a lead. Throws if the
 * identity key can't be loaded. Not for use within a transaction: loading the key takes another connection.
 */
export async function isSuppressed(
  { db, dataKeys }: Pick<Services, 'db' | 'dataKeys'>,
  person: Person,
): Promise<boolean> {
  const { email, phone } = await findSuppression({ db, dataKeys }, person);
  return email !== null || phone !== null;
}

/** What `isSuppressed` tells, of each of the two: since when it is on the list, by whom and why; null: it isn't. */
export async function findSuppression(
  { db, dataKeys }: Pick<Services, 'db' | 'dataKeys'>,
  person: Person,
): Promise<Record<IdentityKind, SuppressionEntry | null>> {
  const { key } = await dataKeys.current('identity');
  const rows = await db.select().from(suppressions).where(suppressionsOf(key, person));
  const entryOf = (of: IdentityKind): SuppressionEntry | null => {
    const row = rows.find(({ kind }) => kind === of);
    return row === undefined ? null : { since: row.at.toISOString(), by: row.by, reason: row.reason };
  };
  return { email: entryOf('email'), phone: entryOf('phone') };
}

/** Leads with the e-mail address or the phone number. */
export function isLeadOf({ emailNorm, phoneE164 }: Partial<Person>): SQL | undefined {
  return or(
    emailNorm === undefined ? undefined : eq(leads.emailNorm, emailNorm),
    phoneE164 === undefined ? undefined : eq(leads.phoneE164, phoneE164),
  );
}
