import type { z } from 'zod';
import type { confirmInput } from '#shared/admin/staff.ts';
import { minuteMs } from '#shared/formats/time.ts';
import { AppError } from '#server/errors.ts';
import { verifyPassword } from '#server/security/password.ts';
import type { Services } from '#server/services.ts';
import { recordAudit } from '../audit/audit.ts';
import { findAccount } from './accounts.ts';
import type { Actor, StaffActor } from './actor.ts';
import { proveSession } from './sessions.ts';
import { useCode, wrongCode } from './totp.ts';

/** Long enough for an owner's errand, short enough for a laptop that is left open. */
const recentMs = 15 * minuteMs;

/** For staff; a token is no session. Throws FORBIDDEN with the reason `recent-sign-in`, on which the dashboard asks for the password and repeats the call. */
export function requireRecentSignIn(actor: Actor, now: Date): void {
  if (actor.kind === 'token' || now.getTime() - actor.provedAt.getTime() < recentMs) return;
  throw new AppError('FORBIDDEN', 'Nothing was changed. Confirm with your password first.', {
    reason: 'recent-sign-in',
  });
}

type ConfirmServices = Pick<Services, 'config' | 'db' | 'now'> & {
  limits: Pick<Services['limits'], 'signIns'>;
};

/**
 * Checks the signed-in person's password. Attempts count for the session, so a stolen one can't be used to guess faster than at
 * the sign-in. Throws UNPROCESSABLE_CONTENT 'Invalid password', and TOO_MANY_REQUESTS.
 */
export async function checkOwnPassword(
  { config, db, limits }: ConfirmServices,
  { actor, ip }: { actor: StaffActor; ip: string },
  { password, field = 'password' }: { password: string; field?: string },
): Promise<void> {
  const { accountId, sessionId } = actor;
  const account = accountId === null ? null : await findAccount(db, accountId);
  const giveBack = await limits.signIns.take({ ip, email: account?.email ?? '', device: sessionId });
  const hash = accountId === null ? config.adminPasswordHash : (account?.passwordHash ?? null);
  if (await verifyPassword(password, hash)) return giveBack();
  await recordAudit(db, {
    actor,
    ip,
    action: 'sign-in-failed',
    ...(accountId === null
      ? { subject: null, detail: { claimed: 'the shared password' } }
      : { subject: { kind: 'account', id: accountId } }),
  });
  throw new AppError('UNPROCESSABLE_CONTENT', 'Invalid password', {
    fields: { [field]: 'Invalid password' },
  });
}

/** Uses up a code of the signed-in person's second factor. Throws UNPROCESSABLE_CONTENT, and TOO_MANY_REQUESTS. */
async function checkOwnCode(
  { config, db, limits, now }: ConfirmServices,
  { actor: { accountId, ...actor }, ip }: { actor: StaffActor; ip: string },
  code: string,
): Promise<void> {
  if (accountId === null) throw wrongCode();
  const giveBack = await limits.signIns.takeCode(accountId);
  const { secretKeys } = config;
  const by = await db.transaction((tx) => useCode(tx, { secretKeys, accountId, code, now: now() }));
  if (by !== null) return giveBack();
  const subject = { kind: 'account', id: accountId };
  const detail = { by: 'code' };
  await recordAudit(db, { actor: { ...actor, accountId }, ip, action: 'sign-in-failed', subject, detail });
  throw wrongCode();
}

/** Makes the session as recent as a new one if the password or the code is right. Throws as these checks. */
export async function confirmIdentity(
  services: ConfirmServices,
  by: { actor: StaffActor; ip: string },
  input: z.infer<typeof confirmInput>,
): Promise<void> {
  await ('code' in input ? checkOwnCode(services, by, input.code) : checkOwnPassword(services, by, input));
  await services.db.transaction(async (tx) => {
    await proveSession(tx, by.actor.sessionId, services.now());
    await recordAudit(tx, { ...by, action: 'session.confirm', subject: null });
  });
}
