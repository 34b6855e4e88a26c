import { and, eq } from 'drizzle-orm';
import { staffRoles, type StaffRole } from '#shared/admin/staff.ts';
import { minuteMs } from '#shared/formats/time.ts';
import type { Caller } from '#server/caller.ts';
import type { OidcConfig } from '#server/config/oidc.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { type StaffAccountRow, staffIdentities } from '#server/db/schema/index.ts';
import { AppError, notFound } from '#server/errors.ts';
import { stepCookie, stepMinutes } from '#server/security/cookies.ts';
import { openText, sealText } from '#server/security/sealedText.ts';
import type { Services } from '#server/services.ts';
import { recordAudit, visitor } from '../audit/audit.ts';
import { recordAccessChange } from '../ledger/accessChanges.ts';
import {
  findAccountByEmail,
  keepAnOwner,
  lockAccount,
  lockOwners,
  recordSignIn,
  updateAccount,
} from './accounts.ts';
import type { StaffActor } from './actor.ts';
import { finishAttempt, type Identity, oidcAttempt, startAttempt } from './oidc.ts';
import { endAccountSessions } from './sessions.ts';
import { addSignInCookies, openSession } from './signIn.ts';

type OidcServices = Pick<Services, 'config' | 'db' | 'log' | 'now'> & {
  limits: Pick<Services['limits'], 'signIns'>;
};

const seal = { purpose: 'single sign-on', owner: 'browser' };
const system = { kind: 'command', name: 'Single sign-on' } as const;

/** Null: the provider doesn't answer. */
export async function startSingleSignOn(
  { config, log, now }: OidcServices,
  caller: Caller,
  redirectUri: string,
): Promise<string | null> {
  if (config.oidc === null) return null;
  try {
    const ends = now().getTime() + stepMinutes * minuteMs;
    const { href, attempt } = await startAttempt(config.oidc, { redirectUri, ends });
    const sealed = sealText(config.secretKeys, seal, JSON.stringify(attempt));
    caller.responseCookies.push(stepCookie(caller.credentials.isSecure, sealed));
    return href;
  } catch (error) {
    log.warn({ event: 'single-sign-on.start-failed', err: error }, 'the identity provider does not answer');
    return null;
  }
}

/** `refused`: the provider vouches for nobody who has an account here. `failed`: it refused, or doesn't answer. */
type SingleSignOnResult = 'signed-in' | 'refused' | 'failed';

/**
 * Signs in the account of the person that the provider vouches for, by its answer: a URL of ours. No account is
 * created. Adds the cookies.
 */
export async function finishSingleSignOn(
  services: OidcServices,
  caller: Caller,
  answer: URL,
): Promise<SingleSignOnResult> {
  const { config, now } = services;
  const { isSecure, step } = caller.credentials;
  const detail = { by: 'single-sign-on' };
  const identity =
    config.oidc === null
      ? null
      : await readAnswer(services, { oidc: config.oidc, step, answer, ip: caller.ip });
  if (identity === null) return 'failed';
  const at = now();
  const signedIn = await services.db.transaction(async (tx) => {
    // Before the account, as changes of roles do.
    if ((config.oidc?.roles ?? null) !== null) await lockOwners(tx);
    const account = await linkAccount(tx, identity, caller.ip);
    if (account === null) return null;
    const role = await followRole(tx, account, { identity, oidc: config.oidc });
    await recordSignIn(tx, account, at);
    const member = { ...account, role };
    return { email: account.email, ...(await openSession(tx, { member, caller, now: at, detail })) };
  });
  if (signedIn === null) {
    await recordAudit(services.db, {
      actor: visitor,
      ip: caller.ip,
      action: 'sign-in-failed',
      subject: null,
      detail,
    });
    return 'refused';
  }
  const { email, token: session } = signedIn;
  addSignInCookies(caller, { session }, { secretKeys: config.secretKeys, email, now: at });
  caller.responseCookies.push(stepCookie(isSecure, ''));
  return 'signed-in';
}

interface Answered {
  oidc: OidcConfig;
  /** Of the browser's cookie. */
  step: string | null;
  answer: URL;
  ip: string;
}

/** The identity in an answer to this browser's attempt, once; null otherwise. */
async function readAnswer(
  { config, limits, log, now }: OidcServices,
  { oidc, step, answer, ip }: Answered,
): Promise<Identity | null> {
  const text = step === null ? null : openText(config.secretKeys, seal, step);
  if (text === null) return null;
  const attempt = oidcAttempt.parse(JSON.parse(text));
  if (now().getTime() >= attempt.ends || answer.searchParams.get('state') !== attempt.state) return null;
  const giveBack = await limits.signIns.takeState({ state: attempt.state, ip });
  if (giveBack === null) return null;
  try {
    const identity = await finishAttempt(oidc, answer, attempt);
    await giveBack();
    return identity;
  } catch (error) {
    log.warn({ event: 'single-sign-on.failed', err: error }, 'single sign-on failed');
    return null;
  }
}

/**
 * The account of an identity, locked: the one that is linked, else the one with its verified email address, which is
 * linked from now on. Null without one, and if another identity of the provider is linked to it.
 */
async function linkAccount(
  tx: Queryable,
  { issuer, subject, verifiedEmail }: Identity,
  ip: string,
): Promise<StaffAccountRow | null> {
  const same = and(eq(staffIdentities.issuer, issuer), eq(staffIdentities.subject, subject));
  const [linked] = await tx.select().from(staffIdentities).where(same);
  if (linked !== undefined) {
    const locked = await lockAccount(tx, linked.accountId);
    // An owner may have unlinked it before the lock.
    return (await tx.$count(staffIdentities, same)) === 0 ? null : locked;
  }
  const found = verifiedEmail === null ? null : await findAccountByEmail(tx, verifiedEmail);
  const account = found === null ? null : await lockAccount(tx, found.id);
  if (account === null) return null;
  const accountId = account.id;
  const stored = await tx
    .insert(staffIdentities)
    .values({ issuer, subject, accountId })
    .onConflictDoNothing()
    .returning();
  if (stored.length === 0) return null;
  const subjectAccount = { kind: 'account', id: accountId };
  await recordAudit(tx, { actor: system, ip, action: 'account.identity', subject: subjectAccount });
  return account;
}

/**
 * Unlinks an account from the provider and ends its sessions, except the caller's own. Throws NOT_FOUND if it isn't
 * linked.
 */
export async function unlinkAccount(
  db: Database,
  { actor, ip }: { actor: StaffActor; ip: string },
  accountId: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const { count } = await tx.delete(staffIdentities).where(eq(staffIdentities.accountId, accountId));
    if (count === 0) throw notFound('Single sign-on');
    await endAccountSessions(tx, accountId, actor.sessionId);
    await recordAccessChange(tx, { kind: 'identity-removed', targetId: accountId });
    const subject = { kind: 'account', id: accountId };
    await recordAudit(tx, { actor, ip, action: 'account.unlink', subject });
  });
}

/** Gives the account the highest role of its claim's values, unless it is the last owner. Returns the role. */
async function followRole(
  tx: Queryable,
  { id, role: before }: StaffAccountRow,
  { identity, oidc }: { identity: Identity; oidc: OidcConfig | null },
): Promise<StaffRole> {
  const given = new Set(identity.roleValues.map((value) => oidc?.roles?.byValue.get(value)));
  const role = staffRoles.findLast((known) => given.has(known));
  if (role === undefined || role === before) return before;
  if (before === 'owner') {
    try {
      await keepAnOwner(tx, id, { accountId: id });
    } catch (error) {
      if (error instanceof AppError && error.code === 'CONFLICT') return before;
      throw error;
    }
  }
  await updateAccount(tx, id, { role });
  const detail = { role, by: 'single-sign-on' };
  const subject = { kind: 'account', id };
  await recordAudit(tx, { actor: system, ip: null, action: 'account.role', subject, detail });
  return role;
}
