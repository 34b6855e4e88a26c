import type { z } from 'zod';
import type { signInOutput, SignInStep } from '#shared/admin/secondFactor.ts';
import { accountKey, type signInInput, type StaffMember } from '#shared/admin/staff.ts';
import type { Queryable } from '#server/db/connect.ts';
import type { StaffAccountRow } from '#server/db/schema/index.ts';
import { AppError } from '#server/errors.ts';
import { deviceCookie, sessionCookie, stepCookie, stepMinutes } from '#server/security/cookies.ts';
import { signStamped } from '#server/security/signedText.ts';
import { minuteMs } from '#shared/formats/time.ts';
import type { Caller } from '#server/caller.ts';
import type { Services } from '#server/services.ts';
import { accountStamp, findAccount, findAccountByEmail, lockAccount, recordSignIn } from './accounts.ts';
import type { ActorServices, StaffActor } from './actor.ts';
import { findActor } from './authorize.ts';
import { maskEmail, recordAudit, visitor } from '../audit/audit.ts';
import { verifyPassword } from '#server/security/password.ts';
import { describeDevice } from './deviceWords.ts';
import { endSession, endSessionOfCookie, sharedStaff, startSession } from './sessions.ts';
import { findNeededStep, isRequiredOf } from './totp.ts';
import { type DeviceInput, findDevice, rememberDevice } from './signInDevices.ts';

type RequiredServices = Pick<Services, 'auditCounts' | 'config' | 'db' | 'now'> & {
  limits: Pick<Services['limits'], 'signIns'>;
};

/** The account of a sign-in, and the hash that the password must match. */
interface Claimed extends Omit<StaffMember, 'account'> {
  accountId: number | null;
  passwordHash: string | null;
  /** The password was replaced, and a restore brought it back. */
  isVoid: boolean;
}

const nobody = { ...sharedStaff, accountId: null, isVoid: false };

async function claimedBy({ db, config }: RequiredServices, email: string): Promise<Claimed> {
  if (email === '') return { ...nobody, email: null, passwordHash: config.adminPasswordHash };
  const account = await findAccountByEmail(db, email);
  if (account === null) return { ...nobody, email, passwordHash: null };
  const { id, name, role, passwordHash, passwordVoidAt } = account;
  const isVoid = passwordVoidAt !== null;
  return { name, role, email: account.email, accountId: id, passwordHash, isVoid };
}

/** A member, or the step that is left. */
type SignInResult = z.infer<typeof signInOutput>;

/** What an attempt claims, for the audit log. A person may type the password into the field of the address. */
function maskedClaim(email: string): string {
  if (email === '') return 'the shared password';
  return /^[^\s@]+@[^\s@]+\.\p{L}{2,}$/u.test(email) ? maskEmail(email).replace('@', ' at ') : 'no address';
}

async function refuse(
  { db }: RequiredServices,
  { ip }: Caller,
  { accountId, email, sentence = 'Invalid password' }: Claimed & { sentence?: string },
): Promise<never> {
  await recordAudit(db, {
    actor: visitor,
    ip,
    action: 'sign-in-failed',
    ...(accountId === null
      ? { subject: null, detail: { claimed: maskedClaim(email ?? '') } }
      : { subject: { kind: 'account', id: accountId } }),
  });
  throw new AppError('UNAUTHORIZED', sentence);
}

/** Only who knows the former password reads it. */
const voidPassword =
  'This password was replaced before data was restored from a backup. Ask an owner to set a new one.';

/** Only who knows the shared password reads it. */
const needsOwnAccount =
  'Owners need two-factor sign-in here, which the shared password doesn’t have. Sign in with your own account.';

/** Concurrent attempts of unknown devices in this process, with the one that hashes: about two seconds of work. */
const strangersMax = 20;
let strangers = 0;

/** Runs an unknown device's attempt. Throws TOO_MANY_REQUESTS while too many are waiting. */
async function amongStrangers<Result>(attempt: () => Promise<Result>): Promise<Result> {
  if (strangers >= strangersMax)
    throw new AppError('TOO_MANY_REQUESTS', 'Too many people are signing in. Please try again.', {
      retryAfterSeconds: 5,
    });
  strangers += 1;
  try {
    return await attempt();
  } finally {
    strangers -= 1;
  }
}

/**
 * Opens a session for the right password: the shared one, or a named account's by its email address. Adds the session
 * cookie and the device cookie to `caller.responseCookies`. Throws UNAUTHORIZED 'Invalid password', in the same time
 * for an unknown address, a wrong password and a password that is not configured, with another sentence for a password
 * that a restore brought back, and TOO_MANY_REQUESTS after too many of these, or for an unknown device while too many
 * others try.
 */
export function signIn(
  services: RequiredServices,
  caller: Caller,
  { email = '', password }: z.infer<typeof signInInput>,
): Promise<SignInResult> {
  const cookie = caller.credentials.device;
  const deviceInput = { secretKeys: services.config.secretKeys, cookie, email, now: services.now() };
  const device = findDevice(deviceInput);
  const attempt = () => tryPassword(services, caller, { password, device, deviceInput });
  const signedIn = device === null ? amongStrangers(attempt) : attempt();
  return signedIn.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'TOO_MANY_REQUESTS') {
      const { ip } = caller;
      const name = maskedClaim(email);
      services.auditCounts.count({ actor: visitor, ip, action: 'sign-in-refused', subject: null, name });
    }
    throw error;
  });
}

interface Attempt {
  password: string;
  device: string | null;
  deviceInput: DeviceInput;
}

async function tryPassword(
  services: RequiredServices,
  caller: Caller,
  { password, device, deviceInput }: Attempt,
): Promise<SignInResult> {
  const { db, limits } = services;
  const { email, now } = deviceInput;
  const giveBack = await limits.signIns.take({ ip: caller.ip, email, device });
  const claimed = await claimedBy(services, email);
  const hashingFor = device === null ? 'strangers' : 'staff';
  const isRight = await verifyPassword(password, claimed.passwordHash, hashingFor);
  const { name, role, accountId, passwordHash, isVoid } = claimed;
  if (!isRight || passwordHash === null) return refuse(services, caller, claimed);
  if (isVoid) return refuse(services, caller, { ...claimed, sentence: voidPassword });
  const opened = await db.transaction(async (tx) => {
    if (accountId === null && (await isRequiredOf(tx, role))) return null;
    const account = accountId === null ? null : await lockAccount(tx, accountId);
    // It was removed or got another password while this one was checked.
    if (accountId !== null && account?.passwordHash !== passwordHash) return null;
    if (account !== null) await recordSignIn(tx, account, now);
    const member = { id: accountId, name, role, passwordHash };
    return startMemberSession(tx, { member, caller, now });
  });
  if (opened === null)
    return refuse(services, caller, {
      ...claimed,
      ...(accountId === null ? { sentence: needsOwnAccount } : {}),
    });
  await giveBack();
  addSignInCookies(caller, opened, deviceInput);
  return 'step' in opened
    ? { step: opened.step }
    : { name, role, email: claimed.email, account: accountKey(accountId) };
}

interface SignedIn {
  /** An account, or the shared password's owner, who has no id. */
  member: Pick<StaffAccountRow, 'name' | 'role' | 'passwordHash'> & { id: number | null };
  caller: Caller;
  now: Date;
  /** How, unless by the password. */
  detail?: object;
}

/** A session's cookie value, or the step that is left before there is one. */
type Opened = { session: string } | { step: SignInStep; account: StaffAccountRow };

/** After the password or a link: opens a session, unless the account has or needs a second factor. */
export async function startMemberSession(tx: Queryable, signedIn: SignedIn): Promise<Opened> {
  const { id } = signedIn.member;
  const account = id === null ? null : await findAccount(tx, id);
  if (account !== null) {
    const step = await findNeededStep(tx, { accountId: account.id, role: account.role });
    if (step !== null) return { step, account };
  }
  return { session: (await openSession(tx, signedIn)).token };
}

/**
 * Opens a session with its audit entry, whether or not there is a second factor, and ends the one whose cookie the
 * browser still has. `token`: the cookie's value.
 */
export async function openSession(
  tx: Queryable,
  { member: { id: accountId, name, role, passwordHash }, caller, now, detail }: SignedIn,
): Promise<{ token: string; actor: StaffActor }> {
  const { credentials, ip, userAgent } = caller;
  if (credentials.session !== null) await endSessionOfCookie(tx, credentials.session);
  const device = describeDevice(userAgent ?? '');
  const session = await startSession(tx, { accountId, passwordHash, device, now });
  const actor: StaffActor = { kind: 'staff', name, role, accountId, sessionId: session.id, provedAt: now };
  const entry = { actor, ip, action: 'sign-in', subject: null } as const;
  await recordAudit(tx, detail === undefined ? entry : { ...entry, detail });
  return { token: session.token, actor };
}

/** The cookies of a session and of the device, which is known from now on; or the cookie of the step that is left. */
export function addSignInCookies(
  caller: Caller,
  opened: Opened,
  signedIn: Omit<DeviceInput, 'cookie'>,
): void {
  const { isSecure, device: cookie } = caller.credentials;
  if ('step' in opened) {
    const { secretKeys, now } = signedIn;
    const { account } = opened;
    const endsMs = now.getTime() + stepMinutes * minuteMs;
    const step = { id: account.id, stamp: accountStamp(account), endsMs };
    caller.responseCookies.push(stepCookie(isSecure, signStamped(secretKeys, 'sign-in-step', step)));
    return;
  }
  caller.responseCookies.push(
    sessionCookie(isSecure, opened.session),
    deviceCookie(isSecure, rememberDevice({ ...signedIn, cookie })),
  );
}

/** Ends the session, deletes its cookie, and asks the browser to forget what it stored of this site. */
export async function signOut(
  { db }: Pick<Services, 'db'>,
  caller: Caller,
  actor: StaffActor,
): Promise<void> {
  await db.transaction(async (tx) => {
    await endSession(tx, actor.sessionId);
    await recordAudit(tx, { actor, ip: caller.ip, action: 'sign-out', subject: null });
  });
  caller.responseCookies.push(sessionCookie(caller.credentials.isSecure, ''));
  // What the dashboard showed and what was typed. Not the cookies: the device stays known.
  caller.responseHeaders.set('Clear-Site-Data', '"cache", "storage"');
}

export async function getMember(
  { db }: Pick<Services, 'db'>,
  { name, role, accountId }: StaffActor,
): Promise<StaffMember> {
  const account = accountId === null ? null : await findAccount(db, accountId);
  return { name, role, email: account?.email ?? null, account: accountKey(accountId) };
}

/** The signed-in member of a session; null without one, and for a script. */
export async function signedInMember(services: ActorServices, caller: Caller): Promise<StaffMember | null> {
  const actor = await findActor(services, caller);
  return actor?.kind === 'staff' ? getMember(services, actor) : null;
}
