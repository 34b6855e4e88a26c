import { createHash } from 'node:crypto';
import { inArray } from 'drizzle-orm';
import { z } from 'zod';
import { actorName } from '#shared/admin/actorNames.ts';
import type { Claim } from '#shared/claims/claim.ts';
import { visibleText } from '#shared/formats/text.ts';
import type { Queryable } from '#server/db/connect.ts';
import { type ClaimAcceptanceRow, claimAcceptances } from '#server/db/schema/index.ts';
import { AppError } from '#server/errors.ts';
import { type AuditActor, recordAuditOfEach } from '../audit/audit.ts';
import { findAccountByEmail, listAccounts } from '../auth/accounts.ts';

function isBlank(text: string | null): boolean {
  return text === null || text.trim() === '';
}

/** A sentence for a claim that names no proof or no approval in the brand's file; null: it needs no acceptance. */
export function claimFault({ id, text, substantiation, approvedBy, approvedAt }: Claim): string | null {
  const isUnapproved = isBlank(approvedBy) || isBlank(approvedAt);
  const claim = `The claim ${id} (“${text}”)`;
  if (isBlank(substantiation))
    return isUnapproved ? `${claim} names no proof, and nobody has approved it.` : `${claim} names no proof.`;
  return isUnapproved ? `${claim} hasn't been approved by anybody.` : null;
}

/** What an acceptance is of: another text of the claim is another one. */
function toKey({ id, text }: Pick<Claim, 'id' | 'text'>): Pick<ClaimAcceptanceRow, 'claimId' | 'textSha256'> {
  return { claimId: id, textSha256: createHash('sha256').update(text).digest('hex') };
}

/** The acceptances of claims as they read now. */
export async function findAcceptances(
  db: Queryable,
  claims: readonly Claim[],
): Promise<Map<Claim, ClaimAcceptanceRow>> {
  const rows = await db
    .select()
    .from(claimAcceptances)
    .where(
      inArray(
        claimAcceptances.claimId,
        claims.map(({ id }) => id),
      ),
    );
  const accepted = claims.map((claim) => {
    const { claimId, textSha256 } = toKey(claim);
    return [claim, rows.find((row) => row.claimId === claimId && row.textSha256 === textSha256)] as const;
  });
  return new Map(accepted.flatMap(([claim, row]) => (row === undefined ? [] : [[claim, row]])));
}

/** A text in one line, without what isn't displayed: it is printed in terminals. */
function toLine(text: string): string {
  return visibleText(text)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** Why an owner accepts a claim. It is kept for good, so it must not say how to reach anybody. */
export const claimReason = z
  .string()
  .transform(toLine)
  .pipe(
    z
      .string()
      .min(3, 'Say why, in at least 3 characters')
      .max(500, 'At most 500 characters')
      .refine((text) => !/\S@\S/.test(text), 'Leave out email addresses'),
  );

interface Accepter {
  name: string;
  /** Null: an owner without an account, by the shared password. */
  accountId: number | null;
}

function unacceptable(message: string): AppError {
  return new AppError('UNPROCESSABLE_CONTENT', message);
}

/**
 * The owner with this name or email address. If no owner has an account, the name counts as it is, unless it is that of
 * another account. Throws UNPROCESSABLE_CONTENT.
 */
export async function getAccepter(db: Queryable, typed: string): Promise<Accepter> {
  const line = toLine(typed);
  const accounts = await listAccounts(db);
  const account =
    (await findAccountByEmail(db, line)) ??
    accounts.find(({ name }) => name.toLowerCase() === line.toLowerCase()) ??
    null;
  if (account?.role === 'owner') return { name: account.name, accountId: account.id };
  if (account !== null) throw unacceptable(`${account.name} isn't an owner.`);
  if (accounts.some(({ role }) => role === 'owner'))
    throw unacceptable('No account of an owner has this name or email address.');
  const name = actorName.safeParse(line);
  if (!name.success) throw unacceptable(name.error.issues[0]?.message ?? 'wrong');
  if (name.data.includes('@')) throw unacceptable('Give a name, not an email address.');
  return { name: name.data, accountId: null };
}

interface Acceptance {
  claims: readonly Claim[];
  accepter: Accepter;
  /** Parsed by `claimReason`. */
  reason: string;
  actor: AuditActor;
}

/**
 * Records with audit entries that an owner accepts claims as they read now. Returns the new ones; none ever changes.
 */
export async function acceptClaims(
  tx: Queryable,
  { claims, accepter, reason, actor }: Acceptance,
): Promise<Claim[]> {
  if (claims.length === 0) return [];
  const rows = claims.map((claim) => ({
    ...toKey(claim),
    claimText: claim.text,
    acceptedBy: accepter.name,
    accountId: accepter.accountId,
    reason,
  }));
  const added = await tx.insert(claimAcceptances).values(rows).onConflictDoNothing().returning();
  const lines = added.map(({ claimId, claimText, acceptedBy, accountId }) => ({
    subject: { kind: 'claim', id: claimId },
    detail: { text: claimText, acceptedBy, accountId, reason },
  }));
  await recordAuditOfEach(tx, { actor, ip: null, action: 'claim.accept' }, lines);
  return claims.filter((claim) =>
    added.some((row) => row.claimId === claim.id && row.claimText === claim.text),
  );
}
