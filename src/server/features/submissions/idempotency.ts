import { createHash } from 'node:crypto';
import { lte } from 'drizzle-orm';
import type { LeadSubmission } from '#shared/leads/leads.ts';
import { zipFive } from '#shared/leads/zip.ts';
import { dayMs } from '#shared/formats/time.ts';
import type { Database } from '#server/db/connect.ts';
import { idempotencyKeys } from '#server/db/schema/index.ts';
import { AppError } from '#server/errors.ts';
import type { Caller } from '#server/caller.ts';
import { identityOf } from '../identity/identity.ts';

const explicitLifeMs = dayMs;
/** A double click, a reload of the answer: the same content again this soon is the same submission. */
const implicitLifeMs = 60_000;
const printable = /^[\x20-\x7e]{1,255}$/;

/** What a submission claims before it is stored: whoever holds the key stores, everyone else gets the holder's answer. */
export interface IdempotencyClaim {
  /** Hashed, as a client may put anything in it; keys of different hosts never meet. */
  key: string;
  requestSha256: string;
  expiresAt: Date;
}

interface ClaimInput {
  caller: Pick<Caller, 'site' | 'idempotencyKey'>;
  content: SubmittedContent;
  /** Whether it was judged as spam. A submission above the limit wasn't: sent again, it is the same one. */
  quarantined: boolean;
  now: Date;
}

/** What the person said, in normal form; token, honeypot and attribution don't count, as they differ between two clicks. */
export type SubmittedContent = readonly (string | number | boolean | null | undefined)[];

/** The content of a lead. */
export function leadContent(submission: LeadSubmission, requestedId: number | null): SubmittedContent {
  const { emailNorm, phoneE164 } = identityOf(submission);
  return [
    requestedId,
    submission.form,
    submission.first_name,
    submission.last_name,
    emailNorm,
    phoneE164,
    zipFive(submission.zip_code) ?? submission.zip_code,
    submission.acceptance_consent,
    submission.acceptance_message ?? null,
  ];
}

function hash(...parts: SubmittedContent): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * The claim of a submission: its `Idempotency-Key` for 24 hours, or without one its own content for a minute. Quarantined ones have keys of
 * their own: a person who was too quick for the token and sends again must not get the answer of the copy that was set aside. Throws
 * BAD_REQUEST for a key that isn't 1 to 255 printable ASCII characters.
 */
export function claimOf({ caller, content, quarantined, now }: ClaimInput): IdempotencyClaim {
  const { host } = caller.site;
  const requestSha256 = hash(host, ...content);
  const explicit = caller.idempotencyKey;
  if (explicit === null) {
    const key = `content:${hash(requestSha256, quarantined)}`;
    return { key, requestSha256, expiresAt: new Date(now.getTime() + implicitLifeMs) };
  }
  if (!printable.test(explicit)) {
    throw new AppError('BAD_REQUEST', 'The Idempotency-Key must be 1 to 255 printable ASCII characters.');
  }
  return {
    key: `key:${hash(host, explicit, quarantined)}`,
    requestSha256,
    expiresAt: new Date(now.getTime() + explicitLifeMs),
  };
}

/** What the holder of a key was answered. Throws UNPROCESSABLE_CONTENT when the holder sent something else under it. */
export function heldAnswer(held: { requestSha256: string; body: unknown }, claim: IdempotencyClaim): unknown {
  if (held.requestSha256 === claim.requestSha256) return held.body;
  throw new AppError(
    'UNPROCESSABLE_CONTENT',
    'This Idempotency-Key was already used with different content.',
  );
}

/** Deletes expired idempotency keys. Safe in any number of processes. */
export async function purgeExpiredKeys(db: Database, now: Date): Promise<void> {
  await db.delete(idempotencyKeys).where(lte(idempotencyKeys.expiresAt, now));
}
