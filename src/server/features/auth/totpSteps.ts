import type { z } from 'zod';
import type {
  codeInput,
  FactorDraft,
  factorInput,
  factorStepOutput,
  SignInStep,
} from '#shared/admin/secondFactor.ts';
import type { AuditAction } from '#shared/admin/audit.ts';
import { accountKey, type StaffMember } from '#shared/admin/staff.ts';
import type { Caller } from '#server/caller.ts';
import type { Queryable } from '#server/db/connect.ts';
import type { StaffAccountRow } from '#server/db/schema/index.ts';
import { AppError } from '#server/errors.ts';
import { stepCookie } from '#server/security/cookies.ts';
import { readStamped } from '#server/security/signedText.ts';
import type { Services } from '#server/services.ts';
import { recordAudit, visitor } from '../audit/audit.ts';
import { accountStamp, findAccount, lockAccount, recordSignIn } from './accounts.ts';
import { addSignInCookies, openSession } from './signIn.ts';
import { endAccountSessions } from './sessions.ts';
import { draftFactor, findNeededStep, storeFactor, useCode, wrongCode } from './totp.ts';

type StepServices = Pick<Services, 'config' | 'db' | 'now'> & { limits: Pick<Services['limits'], 'signIns'> };

interface OpenStep {
  account: StaffAccountRow;
  step: SignInStep;
}

/** The step that the caller's cookie is for, as far as it can be taken now; null for none. */
export async function findOpenStep(
  { config, db, now }: Pick<StepServices, 'config' | 'db' | 'now'>,
  { credentials }: Pick<Caller, 'credentials'>,
): Promise<OpenStep | null> {
  const read = readStamped(config.secretKeys, 'sign-in-step', credentials.step ?? '');
  if (read === null || now().getTime() >= read.endsMs) return null;
  const account = await findAccount(db, read.id);
  if (account === null || accountStamp(account) !== read.stamp) return null;
  const step = await findNeededStep(db, { accountId: account.id, role: account.role });
  // The requirement may have ended since. Signing in again needs no step then.
  return step === null ? null : { account, step };
}

async function getOpenStep(
  services: StepServices,
  caller: Caller,
  step: SignInStep,
): Promise<StaffAccountRow> {
  if (!caller.credentials.isOwnPage)
    throw new AppError('FORBIDDEN', 'Only accepted from a page of this site, as JSON.');
  const open = await findOpenStep(services, caller);
  if (open?.step !== step) throw new AppError('UNAUTHORIZED', 'This sign-in took too long. Start again.');
  return open.account;
}

interface Taken<Result> {
  result: Result;
  /** How, for the audit log. */
  by: string;
  /** What else the person did. */
  action?: AuditAction;
}

/** Signs in after a step, unless another sign-in took its place. Adds the cookies. */
async function finish<Result>(
  services: StepServices,
  { caller, account, step }: OpenStep & { caller: Caller },
  take: (tx: Queryable, now: Date) => Promise<Taken<Result> | null>,
): Promise<{ result: Result; member: StaffMember } | null> {
  const { config, db, now } = services;
  const at = now();
  const done = await db.transaction(async (tx) => {
    const locked = await lockAccount(tx, account.id);
    if (locked === null || accountStamp(locked) !== accountStamp(account)) return null;
    // The person may have set it up at another device.
    if ((await findNeededStep(tx, { accountId: locked.id, role: locked.role })) !== step) return null;
    const taken = await take(tx, at);
    if (taken === null) return null;
    await recordSignIn(tx, locked, at);
    const { ip } = caller;
    const signedIn = { member: locked, caller, now: at, detail: { by: taken.by } };
    const { token, actor } = await openSession(tx, signedIn);
    const subject = { kind: 'account', id: locked.id };
    if (taken.action !== undefined) await recordAudit(tx, { actor, ip, action: taken.action, subject });
    return { session: token, result: taken.result };
  });
  if (done === null) return null;
  const { id, name, role, email } = account;
  addSignInCookies(caller, { session: done.session }, { secretKeys: config.secretKeys, email, now: at });
  caller.responseCookies.push(stepCookie(caller.credentials.isSecure, ''));
  return { result: done.result, member: { name, role, email, account: accountKey(id) } };
}

/**
 * Signs in with the app's code or a recovery code, after the password or the link. Throws UNAUTHORIZED without such a
 * sign-in, UNPROCESSABLE_CONTENT for a wrong code, and TOO_MANY_REQUESTS after too many of these.
 */
export async function enterCode(
  services: StepServices,
  caller: Caller,
  { code }: z.infer<typeof codeInput>,
): Promise<StaffMember> {
  const account = await getOpenStep(services, caller, 'code');
  const giveBack = await services.limits.signIns.takeCode(account.id);
  const { secretKeys } = services.config;
  const done = await finish(services, { caller, account, step: 'code' }, async (tx, now) => {
    const by = await useCode(tx, { secretKeys, accountId: account.id, code, now });
    return by === null ? null : { result: null, by };
  });
  if (done !== null) {
    await giveBack();
    return done.member;
  }
  await recordAudit(services.db, {
    actor: visitor,
    ip: caller.ip,
    action: 'sign-in-failed',
    subject: { kind: 'account', id: account.id },
    detail: { by: 'code' },
  });
  throw wrongCode();
}

/** What an app scans, for a person whose role needs a second factor. Throws UNAUTHORIZED. */
export async function startFactorStep(services: StepServices, caller: Caller): Promise<FactorDraft> {
  return draftFactor(services.config.secretKeys, await getOpenStep(services, caller, 'set-up'));
}

/** Stores the second factor and signs in. Throws UNAUTHORIZED, and UNPROCESSABLE_CONTENT for a wrong code. */
export async function finishFactorStep(
  services: StepServices,
  caller: Caller,
  { sealed, code }: z.infer<typeof factorInput>,
): Promise<z.infer<typeof factorStepOutput>> {
  const account = await getOpenStep(services, caller, 'set-up');
  const { secretKeys } = services.config;
  const done = await finish(services, { caller, account, step: 'set-up' }, async (tx, now) => {
    const result = await storeFactor(tx, { secretKeys, accountId: account.id, sealed, code, now });
    await endAccountSessions(tx, account.id);
    return { result, by: 'set-up', action: 'second-factor.set-up' };
  });
  if (done === null) throw new AppError('UNAUTHORIZED', 'This sign-in took too long. Start again.');
  return { recoveryCodes: done.result, member: done.member };
}
