import { createHash } from 'node:crypto';
import { and, gt, inArray, lte } from 'drizzle-orm';
import { z } from 'zod';
import { optionalLeadFields } from '#shared/leads/leadFieldTable.ts';
import type { LeadSubmission } from '#shared/leads/leads.ts';
import { storedZip } from '#shared/leads/zip.ts';
import { toAnswers } from '#shared/submissions/leadInput.ts';
import { dayMs } from '#shared/formats/time.ts';
import type { Queryable } from '#server/db/connect.ts';
import { purgeRows } from '#server/db/purgeRows.ts';
import { readRows } from '#server/db/readRows.ts';
import { insertRows } from '#server/db/insertRows.ts';
import { idempotencyKeys } from '#server/db/schema/index.ts';
import { AppError } from '#server/errors.ts';
import type { Caller } from '#server/caller.ts';
import type { Person } from '../identity/identity.ts';
import type { Verdict } from './spam.ts';

const explicitLifeMs = dayMs;
/** Equal content within this time is the same submission: a double click, or a reload of the answer. */
const implicitLifeMs = 60_000;
const printable = /^[\x20-\x7e]{1,255}$/;
/** What a page's form makes: a random UUID. A number, or a UUID of the time, can be guessed. */
const randomUuid = z.uuid({ version: 'v4' });

/** A submission claims its key when it is stored. A later submission with the same key gets the same answer. */
export interface IdempotencyClaim {
  /** A hash, because a client may send any text. Keys of different hosts always differ. */
  key: string;
  /** What 1.0.1 would have taken for the key, if that differs: its answer counts if the content is the same. */
  earlierKey?: string;
  requestSha256: string;
  expiresAt: Date;
}

/** Who sends: a script with an API token of the scope, one without, or a form with its token. */
type ClaimSender = 'token' | 'script' | 'form';

/** The sender of a submission without an API token. A quarantined one is separate already. */
export function getSender({ kind }: Pick<Verdict, 'kind'>): ClaimSender {
  return kind === 'script' ? 'script' : 'form';
}

interface ClaimInput {
  caller: Pick<Caller, 'site' | 'idempotencyKey'>;
  sender: ClaimSender;
  content: SubmittedContent;
  /** Whether it was judged as spam. A submission above the limit was not, so a second one is the same submission. */
  quarantined: boolean;
  now: Date;
}

/** What the person entered, in normal form, without token, honeypot and attribution, which differ between clicks. */
export type SubmittedContent = readonly (string | number | boolean | null | undefined)[];

export function leadContent(
  submission: LeadSubmission,
  person: Person,
  requestedId: number | null,
): SubmittedContent {
  return [
    requestedId,
    submission.form,
    submission.first_name,
    submission.last_name,
    // In the forms of 1.0.0, so that a key from before the upgrade still names the same content.
    person.firstEmailNorm ?? person.emailNorm,
    person.firstPhoneE164 ?? person.phoneE164,
    storedZip(submission.zip_code),
    submission.acceptance_consent,
    submission.acceptance_message ?? null,
    // Absent fields aren't part of the content: earlier versions didn't know them.
    ...optionalLeadFields.flatMap((field) =>
      submission[field] === undefined ? [] : [field, submission[field]],
    ),
    // Nothing without answers: then a key from before there were questions still names the same content.
    ...(toAnswers(submission) ?? []).flatMap(({ id, answer }) => [id, answer]),
  ];
}

/** Whether a text may be an `Idempotency-Key`: 1 to 255 printable ASCII characters. */
export function isIdempotencyKey(text: string): boolean {
  return printable.test(text);
}

/** Text as it is compared: keyboards and forms write the same in different ways. Empty counts as missing. */
function comparable(part: SubmittedContent[number]): SubmittedContent[number] {
  return typeof part === 'string' ? part.normalize('NFKC').replaceAll(/\s+/g, ' ').trim() || null : part;
}

function hash(...parts: SubmittedContent): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * The claim of a submission: its `Idempotency-Key` for 24 hours, or its content for a minute. Quarantined submissions
 * have keys of their own: a person who sent too early for the token and sends again must not get the answer of the
 * quarantined copy. So have scripts with an API token: nobody else can guess their next key and take it. And so have
 * scripts without any token: a form that sends the same content has better evidence, and only a form's key proves who
 * sent it. Throws BAD_REQUEST for a key that isn't 1 to 255 printable ASCII characters.
 */
export function toClaim({ caller, sender, content, quarantined, now }: ClaimInput): IdempotencyClaim {
  const { host } = caller.site;
  const requestSha256 = hash(host, ...content.map(comparable));
  const explicit = caller.idempotencyKey;
  if (explicit === null) {
    const own = sender === 'form' ? [] : [sender];
    const key = `content:${hash(requestSha256, quarantined, ...own)}`;
    return { key, requestSha256, expiresAt: new Date(now.getTime() + implicitLifeMs) };
  }
  if (!isIdempotencyKey(explicit)) {
    throw new AppError('BAD_REQUEST', 'The Idempotency-Key must be 1 to 255 printable ASCII characters.');
  }
  const earlierKey = `key:${hash(host, explicit, quarantined)}`;
  const expiresAt = new Date(now.getTime() + explicitLifeMs);
  if (sender === 'form') return { key: earlierKey, requestSha256, expiresAt };
  return { key: `key:${hash(host, explicit, quarantined, sender)}`, earlierKey, requestSha256, expiresAt };
}

/** The answer to the submission that claimed a key first. */
export interface StoredAnswer {
  requestSha256: string;
  body: unknown;
}

/** The body of a stored answer. Throws UNPROCESSABLE_CONTENT if its submission had other content. */
export function answerFor(claim: IdempotencyClaim, stored: StoredAnswer): unknown {
  if (stored.requestSha256 === claim.requestSha256) return stored.body;
  throw new AppError(
    'UNPROCESSABLE_CONTENT',
    'This Idempotency-Key was already used with different content.',
  );
}

/** A claim with the answer that is stored under its key. */
interface AnsweredClaim {
  claim: IdempotencyClaim;
  body: object;
  /** Null: not a lead. */
  leadId: number | null;
}

/** Stored now, or the answer to an earlier submission with the same key. */
export type StoreResult<Body> = { stored: true; body: Body } | ({ stored: false } & StoredAnswer);

/**
 * Claims keys in the transaction that stores their submissions. Returns null or the earlier answer for each; of equal
 * keys, only the first is claimed. Waits for a transaction that is storing the key; after its rollback, claims it.
 */
export async function claimKeys(
  tx: Queryable,
  claims: readonly AnsweredClaim[],
  now: Date,
): Promise<(StoredAnswer | null)[]> {
  const firsts = new Map<string, AnsweredClaim>();
  for (const answered of claims)
    if (!firsts.has(answered.claim.key)) firsts.set(answered.claim.key, answered);
  const claimed = await insertKeys(tx, [...firsts.values()], now);
  const stored = await findAnswers(
    tx,
    [...firsts.keys()].filter((key) => !claimed.has(key)),
  );
  return claims.map((answered) => {
    const { key } = answered.claim;
    const first = firsts.get(key);
    if (!claimed.has(key) || first === undefined) return getAnswer(stored, key);
    return first === answered ? null : { requestSha256: first.claim.requestSha256, body: first.body };
  });
}

const claimedKey = z.object({ key: z.string() });

/** Inserts keys, or takes over expired ones, in ascending order, so that two transactions never wait for each other. */
async function insertKeys(
  tx: Queryable,
  claims: readonly AnsweredClaim[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const rows = claims
    .map(({ claim: { key, requestSha256, expiresAt }, body, leadId }) => ({
      ...{ key, requestSha256, expiresAt },
      ...{ status: 201, body, leadId },
    }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const claimed = await readRows(tx, claimedKey)`
    ${insertRows(idempotencyKeys, rows)}
    on conflict (key) do update set request_sha256 = excluded.request_sha256, status = excluded.status, body = excluded.body,
      lead_id = excluded.lead_id, expires_at = excluded.expires_at
    where idempotency_keys.expires_at <= ${now.toISOString()}::timestamptz
    returning key`;
  return new Set(claimed.map(({ key }) => key));
}

/** The insert that found these keys has locked their rows, so they can't be purged before this. */
async function findAnswers(
  tx: Queryable,
  keys: readonly string[],
): Promise<ReadonlyMap<string, StoredAnswer>> {
  if (keys.length === 0) return new Map();
  const { key, requestSha256, body } = idempotencyKeys;
  const rows = await tx
    .select({ key, requestSha256, body })
    .from(idempotencyKeys)
    .where(inArray(key, [...keys]));
  return new Map(rows.map((row) => [row.key, { requestSha256: row.requestSha256, body: row.body }]));
}

function getAnswer(stored: ReadonlyMap<string, StoredAnswer>, key: string): StoredAnswer {
  const answer = stored.get(key);
  if (answer === undefined) throw new Error('an idempotency key that is in use was not found');
  return answer;
}

/**
 * The leads that a form sent with this key: one, and a copy if the first was quarantined and sent again. None if the key
 * is unknown, has expired, is a script's, or could be guessed: who has it may act for the sender.
 */
export async function listLeadsByKey(
  db: Queryable,
  host: string,
  { explicit, now }: { explicit: string; now: Date },
): Promise<number[]> {
  if (!randomUuid.safeParse(explicit).success) return [];
  const keys = [false, true].map((quarantined) => `key:${hash(host, explicit, quarantined)}`);
  const rows = await db
    .select({ leadId: idempotencyKeys.leadId })
    .from(idempotencyKeys)
    .where(and(inArray(idempotencyKeys.key, keys), gt(idempotencyKeys.expiresAt, now)))
    .orderBy(idempotencyKeys.leadId);
  return rows.flatMap(({ leadId }) => leadId ?? []);
}

/** Deletes the stored answers about leads, in the transaction that erases them. */
export async function forgetKeys(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  await tx.delete(idempotencyKeys).where(inArray(idempotencyKeys.leadId, [...leadIds]));
}

/** Deletes a batch of expired idempotency keys, except those that are being claimed again. Returns how many. */
export function purgeExpiredKeys(db: Queryable, now: Date): Promise<number> {
  return purgeRows(db, idempotencyKeys.key, lte(idempotencyKeys.expiresAt, now));
}
