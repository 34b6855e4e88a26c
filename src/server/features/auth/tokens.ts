import { and, desc, eq, isNull } from 'drizzle-orm';
import type { ApiToken } from '#shared/admin/access.ts';
import type { TokenScope } from '#shared/admin/staff.ts';
import type { Queryable } from '#server/db/connect.ts';
import { type ApiTokenRow, apiTokens } from '#server/db/schema/index.ts';
import { notFound } from '#server/errors.ts';
import type { ActorServices, TokenActor } from './actor.ts';
import { type AuditActor, recordAudit } from '../audit/audit.ts';
import { recordAccessChange } from '../ledger/accessChanges.ts';
import { randomSecret, sha256 } from './sessions.ts';

/** The prefix of a token, by which people and secret scanners recognize one. */
const tokenStart = 'mpx_';
const prefixLength = 12;
const usedEveryMs = 60_000;

interface NewToken {
  name: string;
  scopes: readonly TokenScope[];
}

/** Stores a new token. */
export async function createToken(
  db: Queryable,
  { scopes, now, ...named }: NewToken & { createdBy: string; now: Date },
): Promise<{ row: ApiTokenRow; token: string }> {
  const token = `${tokenStart}${randomSecret()}`;
  const [row] = await db
    .insert(apiTokens)
    .values({
      ...named,
      prefix: token.slice(0, prefixLength),
      tokenSha256: sha256(token),
      scopes: [...new Set(scopes)],
      createdAt: now,
    })
    .returning();
  if (row === undefined) throw new Error('the token was not stored');
  return { row, token };
}

/** All tokens, newest first, including revoked ones. */
export function listTokens(db: Queryable): Promise<ApiTokenRow[]> {
  return db.select().from(apiTokens).orderBy(desc(apiTokens.id));
}

/** The staff action that creates or revokes a token. */
interface By {
  actor: AuditActor;
  ip: string | null;
  now: Date;
}

/** Creates a token and its audit entry. The result is the only one that contains the token. */
export function makeToken(
  db: Queryable,
  { actor, ip, now }: By,
  { name, scopes }: NewToken,
): Promise<{ row: ApiTokenRow; token: string }> {
  return db.transaction(async (tx) => {
    const made = await createToken(tx, { name, scopes, createdBy: actor.name, now });
    const subject = { kind: 'token', id: made.row.id };
    await recordAudit(tx, { actor, ip, action: 'token.create', subject, detail: { scopes } });
    return made;
  });
}

/** Revokes a token immediately. Throws NOT_FOUND if no valid token has the id. */
export function endToken(db: Queryable, { actor, ip, now }: By, id: number): Promise<ApiTokenRow> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(apiTokens)
      .set({ revokedAt: now })
      .where(and(eq(apiTokens.id, id), isNull(apiTokens.revokedAt)))
      .returning();
    if (row === undefined) throw notFound('Token');
    await recordAccessChange(tx, { kind: 'token-revoked', targetId: id });
    await recordAudit(tx, { actor, ip, action: 'token.revoke', subject: { kind: 'token', id } });
    return row;
  });
}

export function presentToken(row: ApiTokenRow): ApiToken {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    revoked_at: row.revokedAt?.toISOString() ?? null,
  };
}

/** The script of a token; null if it is unknown or revoked. Records the last use, to the minute. */
export async function findToken({ db, now }: ActorServices, token: string): Promise<TokenActor | null> {
  if (!token.startsWith(tokenStart)) return null;
  const [row] = await db
    .select()
    .from(apiTokens)
    .where(and(eq(apiTokens.tokenSha256, sha256(token)), isNull(apiTokens.revokedAt)));
  if (row === undefined) return null;
  const at = now();
  if (row.lastUsedAt === null || at.getTime() - row.lastUsedAt.getTime() >= usedEveryMs)
    await db.update(apiTokens).set({ lastUsedAt: at }).where(eq(apiTokens.id, row.id));
  return { kind: 'token', name: row.name, tokenId: row.id, scopes: row.scopes };
}
