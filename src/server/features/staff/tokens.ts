import { and, desc, eq, isNull } from 'drizzle-orm';
import type { TokenScope } from '#shared/staff.ts';
import type { Queryable } from '../../db/connect.ts';
import { type ApiTokenRow, apiTokens } from '../../db/schema/index.ts';
import type { ActorServices, TokenActor } from './actor.ts';
import { randomSecret, sha256 } from './secretText.ts';

/** How a token begins, so that people and secret scanners know one when they see it. */
const tokenStart = 'mpx_';
const prefixLength = 12;
const usedEveryMs = 60_000;

interface TokenToMake {
  name: string;
  scopes: readonly TokenScope[];
  createdBy: string;
  now: Date;
}

/** Makes a token; the answer is the only time it is seen. */
export async function createToken(
  db: Queryable,
  { name, scopes, createdBy, now }: TokenToMake,
): Promise<{ row: ApiTokenRow; token: string }> {
  const token = `${tokenStart}${randomSecret()}`;
  const [row] = await db
    .insert(apiTokens)
    .values({
      name,
      prefix: token.slice(0, prefixLength),
      tokenSha256: sha256(token),
      scopes: [...new Set(scopes)],
      createdBy,
      createdAt: now,
    })
    .returning();
  if (row === undefined) throw new Error('the token was not stored');
  return { row, token };
}

/** Every token there was, newest first, revoked ones too. */
export function listTokens(db: Queryable): Promise<ApiTokenRow[]> {
  return db.select().from(apiTokens).orderBy(desc(apiTokens.id));
}

/** Ends a token at once and for good. Null when there is none by that number that still counts. */
export async function revokeToken(db: Queryable, id: number, now: Date): Promise<ApiTokenRow | null> {
  const [row] = await db
    .update(apiTokens)
    .set({ revokedAt: now })
    .where(and(eq(apiTokens.id, id), isNull(apiTokens.revokedAt)))
    .returning();
  return row ?? null;
}

/** Whose script it is; null when the token is unknown or revoked. Keeps when it was last used, to the minute. */
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
