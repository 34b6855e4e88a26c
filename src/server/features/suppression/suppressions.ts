import { createHash } from 'node:crypto';
import { and, eq, or, type SQL, sql, type SQLWrapper } from 'drizzle-orm';
import type { SuppressionReason, WithdrawalWay } from '#shared/suppression.ts';
import type { Queryable } from '../../db/connect.ts';
import { leads, type LeadRow, suppressions } from '../../db/schema/index.ts';
import { cancelDeliveries, recordWithdrawals, tellClinics } from './withdrawal.ts';

/** Whom it is about: one who has either is the same person. Normalised as a lead keeps them. */
export type Person = Pick<LeadRow, 'emailNorm' | 'phoneE164'>;

export interface Suppression {
  person: Person;
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
  /** The person's leads, deleted ones too, in the order of their numbers. */
  leadIds: number[];
  /** The deliveries, queued now, by which clinics that had the person's details are told. */
  toldBy: string[];
}

type Key = Pick<typeof suppressions.$inferInsert, 'kind' | 'valueHmac'>;

function keyOf(kind: Key['kind'], value: string): Key {
  return { kind, valueHmac: createHash('sha256').update(`${kind}\n${value}`).digest('hex') };
}

/** E-mail first, always: two that name the same rows then never wait for each other in a circle. */
function keysOf({ emailNorm, phoneE164 }: Person): Key[] {
  return [keyOf('email', emailNorm), keyOf('phone', phoneE164)];
}

/** The list's rows for a person. */
export function suppressionsOf(person: Person): SQL | undefined {
  return or(
    ...keysOf(person).map(({ kind, valueHmac }) =>
      and(eq(suppressions.kind, kind), eq(suppressions.valueHmac, valueHmac)),
    ),
  );
}

/** `keyOf`, worked out by Postgres. */
function keyInSql(kind: Key['kind'], value: SQLWrapper): SQL {
  const text = sql.raw(`'${kind}' || chr(10)`);
  return sql`(${sql.raw(`'${kind}'`)}, encode(sha256(convert_to(${text} || ${value}, 'UTF8')), 'hex'))`;
}

/** What isSuppressed() tells, as a part of a query of leads. */
export const isLeadSuppressed = sql<boolean>`exists (
  select 1 from suppressions listed
  where (listed.kind, listed.value_hmac) in (${keyInSql('email', leads.emailNorm)}, ${keyInSql('phone', leads.phoneE164)}))`;

/** Whether nobody may contact the lead's person any more, by e-mail or phone: to be asked before everything that is sent about a lead. */
export async function isSuppressed(db: Queryable, person: Person): Promise<boolean> {
  const found = await db
    .select({ kind: suppressions.kind })
    .from(suppressions)
    .where(suppressionsOf(person))
    .limit(1);
  return found.length > 0;
}

/**
 * Ends all contact with a person, at once and for good: in one transaction puts e-mail and phone on the list, cancels what is queued or held for
 * every lead of theirs, writes each lead's consent down as withdrawn, and queues a message to every clinic that had their details. Doing it again
 * changes nothing that is done, and catches what came since.
 */
export function suppress(db: Queryable, suppression: Suppression): Promise<Suppressed> {
  const { person, only, leadId, reason, by, now } = suppression;
  return db.transaction(async (tx) => {
    const rows = keysOf(person).map((key) => ({ ...key, reason, leadId, by, at: now }));
    // Who was first stays on the list; the row is touched, so that a second call waits here for the first one's end.
    await tx
      .insert(suppressions)
      .values(rows)
      .onConflictDoUpdate({
        target: [suppressions.valueHmac, suppressions.kind],
        set: { kind: suppressions.kind },
      });
    const leadIds = (await leadsOf(tx, person)).filter((id) => only?.includes(id) ?? true);
    await cancelDeliveries(tx, leadIds, now);
    // Of the lead it came from even if that is purged: its evidence isn't.
    const withdrawn = leadId === null ? leadIds : [...new Set([...leadIds, leadId])];
    await recordWithdrawals(tx, withdrawn, suppression);
    return { leadIds, toldBy: await tellClinics(tx, leadIds, now) };
  });
}

/** Kept from being purged meanwhile: who changes leads and deliveries takes the leads first. */
async function leadsOf(tx: Queryable, { emailNorm, phoneE164 }: Person): Promise<number[]> {
  const rows = await tx
    .select({ id: leads.id })
    .from(leads)
    .where(or(eq(leads.emailNorm, emailNorm), eq(leads.phoneE164, phoneE164)))
    .orderBy(leads.id)
    .for('key share');
  return rows.map(({ id }) => id);
}
