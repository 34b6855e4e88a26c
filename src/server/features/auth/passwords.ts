import { eq } from 'drizzle-orm';
import { newPassword } from '#shared/admin/access.ts';
import { signInLinkCopy as copy } from '#shared/admin/signInLinks.ts';
import { brand } from '#shared/brand/brand.ts';
import type { Caller } from '#server/caller.ts';
import { type StaffAccountRow, staffInvitations, staffSessions } from '#server/db/schema/index.ts';
import { AppError } from '#server/errors.ts';
import { recordAudit, visitor } from '../audit/audit.ts';
import { getAccount, hashNewPassword, insertAccount, lockAccount, updateAccount } from './accounts.ts';
import type { StaffActor } from './actor.ts';
import { checkOwnPassword } from './recentSignIn.ts';
import { endAccountSessions, sha256 } from './sessions.ts';
import { addSignInCookies, startMemberSession } from './signIn.ts';
import { findLinkSubject, type LinkServices, sendStaffMail } from './signInLinks.ts';

/** Writes to the account that its password was changed. Nothing waits for it. */
function announcePassword(services: LinkServices, { email }: Pick<StaffAccountRow, 'email'>): void {
  if (services.mail.mailer.heldReason() !== null) return;
  const { subject, text, help } = copy.changedMail;
  void sendStaffMail(services, { to: email, subject, parts: [text(brand.name), help] });
}

type Chosen = 'changed' | 'signed-in' | 'unknown';

/**
 * Sets the password that a person chose behind a reset's or an invitation's link. A reset ends every session of the
 * account; an invitation becomes an account and signs it in. `unknown`: the link is used, ended or replaced. Throws
 * UNPROCESSABLE_CONTENT for a password that is too short, too long or easy to guess.
 */
export async function choosePassword(
  services: LinkServices,
  caller: Caller,
  { token, password }: { token: string; password: string },
): Promise<Chosen> {
  const { config, db, now } = services;
  const found = await findLinkSubject(services, db, token);
  if (found === null || found.kind === 'sign-in') return 'unknown';
  const { data, error } = newPassword.safeParse(password);
  const fault = error?.issues[0]?.message ?? '';
  if (data === undefined) throw new AppError('UNPROCESSABLE_CONTENT', fault, { fields: { password: fault } });
  const passwordHash = await hashNewPassword(data, found.row);
  const at = now();
  const { ip } = caller;
  const done = await db.transaction(async (tx) => {
    const subject = await findLinkSubject(services, tx, token);
    if (subject?.kind === 'reset') {
      const { id } = await updateAccount(tx, subject.row.id, { passwordHash });
      await recordAudit(tx, {
        actor: visitor,
        ip,
        action: 'account.password',
        subject: { kind: 'account', id },
        detail: { by: 'link' },
      });
      return { opened: null };
    }
    if (subject?.kind !== 'invitation') return null;
    const { id, name, email, role } = subject.row;
    await tx.delete(staffInvitations).where(eq(staffInvitations.id, id));
    const created = { name, email, role, passwordHash, createdAt: at, lastSignInAt: at };
    const member = await insertAccount(tx, created);
    const detail = { by: 'invitation' };
    await recordAudit(tx, {
      actor: visitor,
      ip,
      action: 'account.create',
      subject: { kind: 'account', id: member.id },
      detail: { role, ...detail },
    });
    return { opened: await startMemberSession(tx, { member, caller, now: at, detail }) };
  });
  if (done === null) return 'unknown';
  const { email } = found.row;
  if (done.opened === null) {
    announcePassword(services, { email });
    return 'changed';
  }
  addSignInCookies(caller, done.opened, { secretKeys: config.secretKeys, email, now: at });
  return 'signed-in';
}

/**
 * Changes the password of the signed-in account and ends its other sessions. Throws as `checkOwnPassword`, and
 * UNAUTHORIZED if it was replaced.
 */
export async function changeOwnPassword(
  services: LinkServices,
  { actor, ip }: { actor: StaffActor; ip: string },
  { current, password }: { current: string; password: string },
): Promise<void> {
  const { accountId, sessionId } = actor;
  if (accountId === null)
    throw new AppError('CONFLICT', 'The shared password is changed on the server: npm run admin:password.');
  const { db, now } = services;
  const account = await getAccount(db, accountId);
  await checkOwnPassword(services, { actor, ip }, { password: current, field: 'current' });
  const passwordHash = await hashNewPassword(password, account);
  await db.transaction(async (tx) => {
    // A reset may have replaced the password while it was checked, and ended this session.
    if ((await lockAccount(tx, accountId))?.passwordHash !== account.passwordHash)
      throw new AppError('UNAUTHORIZED', 'Sign in first.');
    await updateAccount(tx, accountId, { passwordHash });
    await endAccountSessions(tx, accountId, sessionId);
    const kept = { passwordSha256: sha256(passwordHash), provedAt: now() };
    await tx.update(staffSessions).set(kept).where(eq(staffSessions.id, sessionId));
    const subject = { kind: 'account', id: accountId };
    await recordAudit(tx, { actor, ip, action: 'account.password', subject });
  });
  announcePassword(services, account);
}
