import { randomUUID } from 'node:crypto';
import { type ConsentText, consentTexts } from '#shared/brand/consentTexts.ts';
import { questionsVersion } from '#shared/brand/questions.ts';
import { cleanText } from '#shared/leads/leadFields.ts';
import type { LeadSubmission } from '#shared/leads/leads.ts';
import { type FormKey, formVersions } from '#shared/leads/leadForms.ts';
import { toAnswers } from '#shared/submissions/leadInput.ts';
import { sql, and, gte, inArray, isNotNull } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { insertRows } from '#server/db/insertRows.ts';
import {
  type ConsentRecordRow,
  consentRecords,
  consentSealQueue,
  consentWithdrawals,
  type ConsentWithdrawalRow,
} from '#server/db/schema/index.ts';
import type { Caller } from '#server/caller.ts';
import { sha256, type ConsentFacts, consentRowHash, hashVersion } from './evidenceFields.ts';
import { retainUntil } from './checkpoints.ts';

const headerLengthMax = 1_000;

export type ConsentRecord = Omit<ConsentRecordRow, 'id'>;

export interface ConsentInput {
  caller: Caller;
  submission: LeadSubmission;
  /** The form that is known to have been shown; `api` if none is. */
  formShown: FormKey;
  leadId: number;
  leadPublicId: string;
  acceptedAt: Date;
  /** The provider whose name the form showed, if any. */
  seller: { id: number; label: string } | null;
  formSha256: string | null;
  /** From the form's token, if it was valid. */
  msFromRender: number | null;
}

function bounded(value: string | null): string | null {
  return value === null ? null : cleanText(value.slice(0, headerLengthMax));
}

const spaces = /\s+/g;

/**
 * The registered text that a form showed. If the client sent a text, it must be equal except for spacing, and one that
 * this form shows or an earlier version of it, as a page from a cache does. Another form's text may allow less.
 */
export function registeredText(
  texts: readonly ConsentText[],
  form: FormKey,
  said: string | undefined,
): ConsentText | null {
  const current = texts.find(({ forms }) => forms.includes(form)) ?? null;
  const plain = said?.trim().replace(spaces, ' ');
  if (plain === undefined || current === null) return current;
  const own = texts.filter(({ id, version }) => id === current.id && version <= current.version);
  return own.find(({ text }) => text.replace(spaces, ' ') === plain) ?? null;
}

/**
 * The consent text shown. A client's text is stored as it is, and marked as unknown unless registered (except for
 * spacing). A form without one showed its registered text. Without a known form, even a registered text is unknown.
 */
function shownConsent(
  form: FormKey,
  said: string | undefined,
): Pick<
  ConsentFacts,
  'textId' | 'textVersion' | 'textShown' | 'textSha256' | 'textKnown' | 'channels' | 'purpose'
> {
  const registered = form === 'api' ? null : registeredText(consentTexts, form, said);
  const textShown = said ?? registered?.text ?? '';
  return {
    textId: registered?.id ?? null,
    textVersion: registered?.version ?? null,
    textShown,
    textSha256: sha256(textShown),
    textKnown: registered !== null,
    channels: [...(registered?.channels ?? [])],
    purpose: registered?.purpose ?? null,
  };
}

/** A lead's evidence with its hash. From the client: text shown, contact fields, answers and its own clock only. */
export function consentRecord({
  caller,
  submission,
  formShown,
  leadId,
  leadPublicId,
  acceptedAt,
  ...shown
}: ConsentInput): ConsentRecord {
  const answers = toAnswers(submission);
  const facts: ConsentFacts = {
    uuid: randomUUID(),
    leadId,
    formKey: formShown,
    ...shownConsent(formShown, submission.acceptance_message),
    checked: submission.acceptance_consent,
    sellerProviderId: shown.seller?.id ?? null,
    sellerName: shown.seller?.label ?? null,
    firstName: submission.first_name,
    lastName: submission.last_name,
    email: submission.email,
    phone: submission.phone,
    acceptedAt,
    ip: caller.ip,
    userAgent: bounded(caller.userAgent),
    pageUrl: bounded(caller.pageUrl),
    host: caller.site.host,
    referrerHost: bounded(caller.referrerHost),
    formSha256: shown.formSha256,
    msFromRender: shown.msFromRender,
    gpc: caller.globalPrivacyControl,
    retainUntil: retainUntil(acceptedAt),
    hashVersion,
    leadPublicId,
    origin: bounded(caller.origin),
    fetchSite: bounded(caller.fetchSite),
    formVersion: formShown === 'api' ? null : formVersions[formShown] + questionsVersion,
    clientClock: submission.client_clock === undefined ? null : new Date(submission.client_clock),
    // No form of this site ticks the box by itself.
    prechecked: formShown === 'api' ? null : false,
    answers: answers === null ? null : JSON.stringify(answers),
  };
  return { ...facts, rowHash: consentRowHash(facts) };
}

/** Inserts the evidence of new leads and queues it for sealing, in the transaction that stores the leads. */
export async function insertConsent(tx: Queryable, records: readonly ConsentRecord[]): Promise<void> {
  await tx.execute(sql`
    with new_records as (${insertRows(consentRecords, records)} returning id)
    insert into ${consentSealQueue} (record_id) select id from new_records`);
}

type Withdrawal = Pick<ConsentWithdrawalRow, 'how' | 'by' | 'ip' | 'at'>;

/**
 * Records once per lead that its consent was withdrawn. `since`: ignores earlier withdrawals, whose suppression was
 * lifted; without it, each counts. Returns the leads that it was recorded for.
 */
export async function insertWithdrawals(
  tx: Queryable,
  leadIds: readonly number[],
  { since, ...withdrawal }: Withdrawal & { since?: Date | undefined },
): Promise<number[]> {
  if (leadIds.length === 0) return [];
  const { leadId, at } = consentWithdrawals;
  const earlier = await tx
    .select({ leadId })
    .from(consentWithdrawals)
    .where(and(inArray(leadId, [...leadIds]), since === undefined ? undefined : gte(at, since)));
  const withdrawn = new Set(earlier.map((row) => row.leadId));
  const left = leadIds.filter((id) => !withdrawn.has(id));
  if (left.length > 0)
    await tx.insert(consentWithdrawals).values(left.map((id) => ({ ...withdrawal, leadId: id })));
  return left;
}

/** Removes the addresses that withdrawals of erased leads came from. */
export async function eraseWithdrawalAddresses(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  const { leadId, ip } = consentWithdrawals;
  await tx
    .update(consentWithdrawals)
    .set({ ip: null })
    .where(and(inArray(leadId, [...leadIds]), isNotNull(ip)));
}
