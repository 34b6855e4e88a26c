import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import type { SuppressionEntry, SuppressionReason, WithdrawalWay } from '#shared/leads/suppression.ts';
import type { Queryable } from '../../db/connect.ts';
import { leads, type LeadRow, suppressions } from '../../db/schema/index.ts';
import type { Services } from '#server/services.ts';
import {
  identityHash,
  identityHashSql,
  type IdentityKind,
  type IdentityPads,
  identityPads,
} from '../identity/identityHashes.ts';
import { cancelDeliveries, closeTasks, recordWithdrawals, tellProviders } from './withdrawal.ts';

/** Whom it is about: one who has either is the same person. Normalised as a lead keeps them. */
export type Person = Pick<LeadRow, 'emailNorm' | 'phoneE164'>;

export interface Suppression {
  /** What goes on the list: an e-mail address, a phone number, or both. */
  person: Partial<Person>;
  /** Of `dataKeys.current('identity')`; load it before a transaction begins, as loading takes a connection. */
  identityKey: Buffer;
  /** Where it is known which leads are theirs: nothing is done to those of others who have the same phone. */
  only?: readonly number[];
  /** Which of the person's leads it came from. */
  leadId: number | null;
  reason: SuppressionReason;
  how: WithdrawalWay;
  /** 'Visitor', a staff member's or token's name. */
  by: string;
  ip: string | null;
  now: Date;
}

/** What a suppression did. */
export interface Suppressed {
  /** Leads with what was listed, deleted ones too, in the order of their numbers. */
  leadIds: number[];
  /** The deliveries, queued now, by which clinics that had the person's details are told. */
  toldBy: string[];
  /** Whether anything of it wasn't on the list before. */
  isNew: boolean;
}

interface Identity {
  kind: IdentityKind;
  value: string;
}

/** E-mail first, always: two that name the same rows then never wait for each other in a circle. */
function identitiesOf({ emailNorm, phoneE164 }: Partial<Person>): Identity[] {
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

/**
 * Ends all contact by what is listed until an owner lifts it: in one transaction puts e-mail, phone or both on the list, cancels what is queued or
 * held for every lead with either, writes each lead's consent down as withdrawn, and queues a message to every clinic that had their details. Doing it
 * again changes nothing that is done, and catches what came since; after it was lifted it is all done once more.
 */
export function suppress(db: Queryable, suppression: Suppression): Promise<Suppressed> {
  const { person, identityKey, only, leadId, reason, by, now } = suppression;
  return db.transaction(async (tx) => {
    const rows = identitiesOf(person).map(({ kind, value }) => {
      return { kind, valueHmac: identityHash(identityKey, kind, value), reason, leadId, by, at: now };
    });
    // Who was first stays on the list; the row is touched, so that a second call waits here for the first one's end.
    const listed = await tx
      .insert(suppressions)
      .values(rows)
      .onConflictDoUpdate({
        target: [suppressions.valueHmac, suppressions.kind],
        set: { kind: suppressions.kind },
      })
      .returning({ at: suppressions.at, isNew: sql<boolean>`xmax = 0` });
    const leadIds = (await leadsOf(tx, person)).filter((id) => only?.includes(id) ?? true);
    await cancelDeliveries(tx, leadIds, now);
    await closeTasks(tx, leadIds, { by, now });
    // What was done before the later entry doesn't count: an earlier entry of the same kind may have been lifted since.
    const since = new Date(Math.max(...listed.map(({ at }) => at.getTime())));
    // Of the lead it came from even if that is purged: its evidence isn't.
    const withdrawn = leadId === null ? leadIds : [...new Set([...leadIds, leadId])];
    await recordWithdrawals(tx, withdrawn, { ...suppression, since });
    const toldBy = await tellProviders(tx, leadIds, { now, since });
    return { leadIds, toldBy, isNew: listed.some(({ isNew }) => isNew) };
  });
}

/** Leads with the e-mail address or the phone number. */
export function isLeadOf({ emailNorm, phoneE164 }: Partial<Person>): SQL | undefined {
  return or(
    emailNorm === undefined ? undefined : eq(leads.emailNorm, emailNorm),
    phoneE164 === undefined ? undefined : eq(leads.phoneE164, phoneE164),
  );
}

/** Kept from being purged meanwhile: who changes leads and deliveries takes the leads first. */
async function leadsOf(tx: Queryable, person: Partial<Person>): Promise<number[]> {
  const rows = await tx
    .select({ id: leads.id })
    .from(leads)
    .where(isLeadOf(person))
    .orderBy(leads.id)
    .for('key share');
  return rows.map(({ id }) => id);
}
