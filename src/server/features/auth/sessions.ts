import { and, desc, eq, inArray, isNull, lte, ne, or, type SQL } from 'drizzle-orm';
import type { StaffSession } from '#shared/admin/access.ts';
import type { Queryable } from '#server/db/connect.ts';
import { purgeRows } from '#server/db/purgeRows.ts';
import { staffAccounts, staffSessions } from '#server/db/schema/index.ts';
import { notFound } from '#server/errors.ts';
import { recordAudit } from '../audit/audit.ts';
import type { ActorServices, StaffActor } from './actor.ts';
import { hourMs } from '#shared/formats/time.ts';
import { createHash, randomBytes } from 'node:crypto';

const sessionLifeMs = 12 * hourMs;
const sessionIdleMs = 2 * hourMs;
/** The last use is written at most this often, so that a busy dashboard does not write with every read. */
const seenEveryMs = 60_000;

/** The owner who signed in with the shared password. */
export const sharedStaff = { name: 'Staff', role: 'owner' } as const;

interface SessionStart {
  /** Null for the shared password. */
  accountId: number | null;
  /** The hash that the password was checked against. */
  passwordHash: string;
  /** In words; left out: unknown. */
  device?: string | null;
  now: Date;
}

/** Opens a session for 12 hours at most. `token` is the cookie's value and is stored nowhere. */
export async function startSession(
  db: Queryable,
  { accountId, passwordHash, device, now }: SessionStart,
): Promise<{ id: string; token: string }> {
  const token = randomSecret();
  const [row] = await db
    .insert(staffSessions)
    .values({
      tokenSha256: sha256(token),
      accountId,
      device: device ?? null,
      passwordSha256: sha256(passwordHash),
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + sessionLifeMs),
    })
    .returning({ id: staffSessions.id });
  if (row === undefined) throw new Error('the session was not stored');
  return { id: row.id, token };
}

/**
 * The session of a cookie's value; null if it is unknown, older than 12 hours, unused for 2 hours, or if its password
 * has changed. Records the use, unless a page polls (`isBackground`): an open dashboard is not a person who uses it.
 */
export async function findSession(
  { db, now, config }: ActorServices,
  { token, isBackground }: { token: string; isBackground: boolean },
): Promise<StaffActor | null> {
  const [row] = await selectSessions(db).where(eq(staffSessions.tokenSha256, sha256(token)));
  if (row === undefined) return null;
  const at = now();
  const actor = toActor(row, { at, config });
  const { id, lastSeenAt } = row.session;
  if (actor !== null && !isBackground && at.getTime() - lastSeenAt.getTime() >= seenEveryMs)
    await db.update(staffSessions).set({ lastSeenAt: at }).where(eq(staffSessions.id, id));
  return actor;
}

/** The members of those of these sessions that are still valid, by session. Records no use. */
export async function listActors(
  { db, now, config }: Pick<ActorServices, 'db' | 'now' | 'config'>,
  sessionIds: readonly string[],
): Promise<Map<string, StaffActor>> {
  const rows = await selectSessions(db).where(inArray(staffSessions.id, [...sessionIds]));
  const actors = rows.flatMap((row) => toActor(row, { at: now(), config }) ?? []);
  return new Map(actors.map((actor) => [actor.sessionId, actor]));
}

function selectSessions(db: Queryable) {
  return db
    .select({ session: staffSessions, account: staffAccounts })
    .from(staffSessions)
    .leftJoin(staffAccounts, eq(staffAccounts.id, staffSessions.accountId));
}

interface SessionRow {
  session: typeof staffSessions.$inferSelect;
  account: typeof staffAccounts.$inferSelect | null;
}

/** The member of a session; null if it has ended. */
function toActor(
  { session, account }: SessionRow,
  { at, config }: { at: Date; config: ActorServices['config'] },
): StaffActor | null {
  const idleMs = at.getTime() - session.lastSeenAt.getTime();
  if (at >= session.expiresAt || idleMs >= sessionIdleMs) return null;
  const passwordHash = session.accountId === null ? config.adminPasswordHash : account?.passwordHash;
  if (passwordHash === null || passwordHash === undefined) return null;
  if (sha256(passwordHash) !== session.passwordSha256) return null;
  const { name, role } = account ?? sharedStaff;
  const { id: sessionId, accountId, createdAt, provedAt } = session;
  return { kind: 'staff', name, role, accountId, sessionId, provedAt: provedAt ?? createdAt };
}

/** Records that the session's person proved again who they are. */
export async function proveSession(db: Queryable, id: string, now: Date): Promise<void> {
  await db.update(staffSessions).set({ provedAt: now }).where(eq(staffSessions.id, id));
}

export async function endSession(db: Queryable, id: string): Promise<void> {
  await db.delete(staffSessions).where(eq(staffSessions.id, id));
}

/** Ends the sessions of an account, except one. Null: those of the shared password. */
export async function endAccountSessions(
  tx: Queryable,
  accountId: number | null,
  exceptId: string | null = null,
): Promise<void> {
  await tx.delete(staffSessions).where(matching({ accountId, exceptId }));
}

export async function endSessionOfCookie(db: Queryable, token: string): Promise<void> {
  await db.delete(staffSessions).where(eq(staffSessions.tokenSha256, sha256(token)));
}

interface WhichSessions {
  /** Null: the shared password's. Left out: everyone's. */
  accountId?: number | null;
  id?: string;
  exceptId?: string | null;
}

function matching({ accountId, id, exceptId }: WhichSessions): SQL | undefined {
  const owner = staffSessions.accountId;
  return and(
    accountId === undefined ? undefined : accountId === null ? isNull(owner) : eq(owner, accountId),
    id === undefined ? undefined : eq(staffSessions.id, id),
    typeof exceptId === 'string' ? ne(staffSessions.id, exceptId) : undefined,
  );
}

/** The open sessions, the last used first. */
export async function listSessions(
  { db, now, config }: Pick<ActorServices, 'db' | 'now' | 'config'>,
  { sessionId }: StaffActor,
  which: WhichSessions,
): Promise<StaffSession[]> {
  const rows = await selectSessions(db).where(matching(which)).orderBy(desc(staffSessions.lastSeenAt));
  return rows.flatMap((row) => {
    const actor = toActor(row, { at: now(), config });
    if (actor === null) return [];
    const { id, device, createdAt, lastSeenAt } = row.session;
    const times = { created_at: createdAt.toISOString(), last_seen_at: lastSeenAt.toISOString() };
    return [{ id, name: actor.name, device, isCurrent: id === sessionId, ...times }];
  });
}

/** Ends sessions, with an audit entry if there are any. Throws NOT_FOUND without the one that is meant. */
export function endSessions(
  db: Queryable,
  { actor, ip }: { actor: StaffActor; ip: string },
  which: WhichSessions,
): Promise<null> {
  return db.transaction(async (tx) => {
    const ended = await tx
      .delete(staffSessions)
      .where(matching(which))
      .returning({ accountId: staffSessions.accountId });
    const [first] = ended;
    if (first === undefined && which.id !== undefined) throw notFound('Session');
    if (first === undefined) return null;
    const subject = first.accountId === null ? null : { kind: 'account', id: first.accountId };
    await recordAudit(tx, { actor, ip, action: 'session.end', subject, detail: { count: ended.length } });
    return null;
  });
}

/** Deletes a batch of expired sessions. Returns how many. */
export function purgeSessions(db: Queryable, now: Date): Promise<number> {
  const { id, expiresAt, lastSeenAt } = staffSessions;
  const idleSince = new Date(now.getTime() - sessionIdleMs);
  return purgeRows(db, id, or(lte(expiresAt, now), lte(lastSeenAt, idleSince)));
}

/** 256 random bits as 43 URL-safe characters. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
