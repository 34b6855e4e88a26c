import { createHash } from 'node:crypto';
import { and, eq, ne, or, type SQL, sql, type SQLWrapper } from 'drizzle-orm';
import { findEmails, normalizedEmail } from '#shared/leads/emailAddress.ts';
import { phoneDigits, storedPhone } from '#shared/leads/phone.ts';
import type { identityKinds } from '#shared/leads/suppression.ts';
import { leadMessages } from '#shared/brand/leadMessages.ts';
import type { Queryable } from '#server/db/connect.ts';
import { consentRecords, leads, type LeadRow } from '#server/db/schema/index.ts';
import { AppError } from '#server/errors.ts';
import { firstEmailNorm, firstPhoneE164, plainNumber, readPhones } from './normalForms.ts';

/** What identifies a person: an email address or a phone number. */
export type IdentityKind = (typeof identityKinds)[number];

export interface Identity {
  kind: IdentityKind;
  value: string;
}

/**
 * A person by normalized email and phone: leads with either are the same person's. With the forms of 1.0.0, where they
 * differ, by which the person may be listed.
 */
export interface Person extends Pick<LeadRow, 'emailNorm' | 'phoneE164'> {
  firstEmailNorm?: string | null | undefined;
  firstPhoneE164?: string | null | undefined;
}

export const personColumns = {
  emailNorm: leads.emailNorm,
  phoneE164: leads.phoneE164,
  firstEmailNorm: leads.firstEmailNorm,
  firstPhoneE164: leads.firstPhoneE164,
};

/** A person of whom at least the email is known. */
export type PersonByEmail = Pick<Person, 'emailNorm'> & Partial<Person>;

/**
 * E.164 of the first typed phone number, without extension. Without a country code it is North American. An impossible
 * number keeps its digits, as no lead is refused for it. Null without a number of 10 to 15 digits.
 */
function toE164(typed: string): string | null {
  // Leads keep the stored form, and must get the same result from it later.
  return readPhones(storedPhone(typed))[0]?.e164 ?? null;
}

/** Contact details in their normal forms. */
interface NormalForms extends Pick<LeadRow, 'emailNorm' | 'firstEmailNorm' | 'firstPhoneE164'> {
  /** Null: there is no number of 10 to 15 digits. */
  phoneE164: string | null;
}

/** Normalizes contact details. The server compares persons only by these. The forms of 1.0.0 are null if the same. */
export function getIdentity({ email, phone = '' }: { email: string; phone?: string }): NormalForms {
  const [emailNorm, phoneE164] = [normalizedEmail(email), toE164(phone)];
  const ofFirst = (first: string | null, current: string | null): string | null =>
    first === current ? null : first;
  return {
    emailNorm,
    phoneE164,
    firstEmailNorm: ofFirst(firstEmailNorm(email), emailNorm),
    // Most numbers are plain, and the same in both: that saves the slow parser.
    firstPhoneE164: plainNumber(phone) === null ? ofFirst(firstPhoneE164(phone), phoneE164) : null,
  };
}

/** The person of a submission that its schema has checked. Throws UNPROCESSABLE_CONTENT if the phone is no number. */
export function makePerson(contact: { email: string; phone: string }): Person {
  const { phoneE164, ...forms } = getIdentity(contact);
  if (phoneE164 === null) throw new AppError('UNPROCESSABLE_CONTENT', leadMessages.fields.phone.invalid);
  return { ...forms, phoneE164 };
}

export function toPerson({ kind, value }: Identity): Partial<Person> {
  return kind === 'email' ? { emailNorm: value } : { phoneE164: value };
}

/** The current form of email and phone. Email first, always: transactions that lock the same rows use one order. */
export function listIdentities({ emailNorm, phoneE164 }: Partial<Person>): Identity[] {
  return [
    ...(emailNorm === undefined ? [] : [{ kind: 'email', value: emailNorm } as const]),
    ...(phoneE164 === undefined ? [] : [{ kind: 'phone', value: phoneE164 } as const]),
  ];
}

export function getEmail({ emailNorm, firstEmailNorm: email = null }: PersonByEmail): PersonByEmail {
  return { emailNorm, firstEmailNorm: email };
}

export function getPhone({ phoneE164, firstPhoneE164: phone = null }: Person): Partial<Person> {
  return { phoneE164, firstPhoneE164: phone };
}

/** Every form of email and phone by which a person may be listed: the current ones, and those of 1.0.0. */
export function listForms({
  firstEmailNorm: email,
  firstPhoneE164: phone,
  ...person
}: Partial<Person>): Identity[] {
  return [
    ...listIdentities(person),
    ...listIdentities({
      ...(typeof email === 'string' ? { emailNorm: email } : {}),
      ...(typeof phone === 'string' ? { phoneE164: phone } : {}),
    }),
  ];
}

export function isLeadOf({ emailNorm, phoneE164 }: Partial<Person>): SQL | undefined {
  return or(
    emailNorm === undefined ? undefined : eq(leads.emailNorm, emailNorm),
    phoneE164 === undefined ? undefined : eq(leads.phoneE164, phoneE164),
  );
}

/** The same of a column with normalized addresses: equals `mailboxOf`. */
export function mailboxSql(emailNorm: SQLWrapper): SQL<string> {
  return sql<string>`email_mailbox(${emailNorm})`;
}

/** Leads with a mailbox, in any spelling of the address. */
export function hasMailbox(mailbox: string): SQL | undefined {
  const spelled = mailboxSql(leads.emailNorm);
  // Two conditions, for the index of each.
  return or(eq(leads.emailNorm, mailbox), and(eq(spelled, mailbox), ne(spelled, leads.emailNorm)));
}

/** Whether two rows with the columns of `leads` are the same person's, by their aliases in a query. */
export function isSamePerson(one: string, other: string): SQL {
  const [a, b] = [sql.identifier(one), sql.identifier(other)];
  return sql`(${a}.email_norm = ${b}.email_norm or ${a}.phone_e164 = ${b}.phone_e164)`;
}

/** How many of a number's last digits every spelling of it has. */
const localDigits = 7;

/** Consent records, with details as typed, that may be a person's: only `isRecordOf` can decide some. */
export function mayBeRecordOf({ emailNorm, phoneE164 = '' }: PersonByEmail): SQL | undefined {
  // What was typed may have an international prefix before the number and an extension after it.
  const lastDigits = phoneDigits(phoneE164).slice(-localDigits);
  const typedDigits: SQLWrapper = sql`regexp_replace(${consentRecords.phone}, '[^0-9]', '', 'g')`;
  return or(
    sql`lower(${consentRecords.email}) = ${emailNorm}`,
    // Another spelling may be the same address.
    sql`${consentRecords.email} ~ '[^ -~]|\`|[.,]$'`,
    lastDigits === '' ? undefined : sql`strpos(${typedDigits}, ${lastDigits}) > 0`,
    // The digits may be of another script.
    lastDigits === '' ? undefined : sql`${consentRecords.phone} ~ '[^ -~]'`,
  );
}

/** Whether contact details as typed are a person's. */
export function isRecordOf(person: PersonByEmail, typed: { email: string; phone: string }): boolean {
  const own = getIdentity(typed);
  // A lead that 1.0.0 stored may still have its form.
  return (
    [own.emailNorm, own.firstEmailNorm].includes(person.emailNorm) ||
    (person.phoneE164 !== undefined && [own.phoneE164, own.firstPhoneE164].includes(person.phoneE164))
  );
}

/** Texts in which a person may be named: only `isNamedIn` can decide some. */
export function mayBeTypedIn(text: SQLWrapper, { emailNorm, phoneE164 }: Person): SQL | undefined {
  const lastDigits = phoneDigits(phoneE164).slice(-localDigits);
  return or(
    emailNorm === '' ? undefined : sql`strpos(lower(${text}), ${emailNorm}) > 0`,
    lastDigits === ''
      ? undefined
      : sql`strpos(regexp_replace(${text}, '[^0-9]', '', 'g'), ${lastDigits}) > 0`,
    // Another spelling may be the same, also of the digits.
    sql`${text} ~ '[^[:space:] -~]|\`'`,
  );
}

/** Whether somebody typed the email address or a phone number of a person in a text. */
export function isNamedIn(text: string, { emailNorm, phoneE164, ...first }: Person): boolean {
  return (
    findEmails(text).some((email) => email === emailNorm || email === first.firstEmailNorm) ||
    readPhones(text).some(({ e164 }) => e164 === phoneE164 || e164 === first.firstPhoneE164)
  );
}

/**
 * Locks these persons until the transaction ends, so that one at a time stores or erases their leads. One statement
 * locks in ascending order, which prevents deadlocks. Only later statements see what the last holder committed.
 */
export async function lockPersons(tx: Queryable, persons: readonly Partial<Person>[]): Promise<void> {
  const toLockKey = ({ kind, value }: Identity): bigint =>
    createHash('sha256').update(`${kind}\n${value}`).digest().readBigInt64BE(0);
  const locks = [...new Set(persons.flatMap(listForms).map(toLockKey))].toSorted((a, b) => (a < b ? -1 : 1));
  await tx.execute(
    sql`select pg_advisory_xact_lock(lock) from unnest(string_to_array(${locks.join()}, ',')::bigint[]) as lock`,
  );
}
