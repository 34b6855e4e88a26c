import type { z } from 'zod';
import type { FactorDraft, factorInput, ownFactor, TeamFactors } from '#shared/admin/secondFactor.ts';
import type { StaffRole } from '#shared/admin/staff.ts';
import { brand } from '#shared/brand/brand.ts';
import type { Queryable } from '#server/db/connect.ts';
import { staffIdentities } from '#server/db/schema/index.ts';
import { AppError } from '#server/errors.ts';
import type { StaffAction } from '#server/procedures.ts';
import type { Services } from '#server/services.ts';
import { type AuditActor, recordAudit } from '../audit/audit.ts';
import { getAccount, listAccounts, lockAccount, refuseOwn } from './accounts.ts';
import type { StaffActor } from './actor.ts';
import { endAccountSessions } from './sessions.ts';
import { sendStaffMail } from './signInLinks.ts';
import {
  draftFactor,
  findFactor,
  isRequiredOf,
  listFactors,
  listRequiredRoles,
  removeFactor,
  setRequiredRoles,
  storeFactor,
} from './totp.ts';

type Action = StaffAction<StaffActor>;

/** The caller's account. Throws CONFLICT for the shared password, which has none. */
function ownAccount({ accountId }: StaffActor): number {
  if (accountId !== null) return accountId;
  throw new AppError(
    'CONFLICT',
    'The shared password has no two-factor sign-in. Sign in with your own account.',
  );
}

export async function findOwnFactor(
  db: Queryable,
  { accountId, role }: StaffActor,
): Promise<z.infer<typeof ownFactor>> {
  const factor = accountId === null ? null : await findFactor(db, accountId);
  return {
    recoveryCodesLeft: factor?.recoverySha256.length ?? null,
    isRequired: await isRequiredOf(db, role),
    isPossible: accountId !== null,
  };
}

export async function startSetUp(
  { config, db }: Pick<Services, 'config' | 'db'>,
  actor: StaffActor,
): Promise<FactorDraft> {
  return draftFactor(config.secretKeys, await getAccount(db, ownAccount(actor)));
}

/** Returns the recovery codes. Ends the account's other sessions. Throws UNPROCESSABLE_CONTENT for a wrong code. */
export function setUpFactor(
  { services: { config, db, now }, actor, ip }: Action,
  { sealed, code }: z.infer<typeof factorInput>,
): Promise<string[]> {
  const accountId = ownAccount(actor);
  return db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const { secretKeys } = config;
    const codes = await storeFactor(tx, { secretKeys, accountId, sealed, code, now: now() });
    await endAccountSessions(tx, accountId, actor.sessionId);
    const subject = { kind: 'account', id: accountId };
    await recordAudit(tx, { actor, ip, action: 'second-factor.set-up', subject });
    return codes;
  });
}

/** Throws CONFLICT if the role needs it. */
export async function turnOffFactor({ services: { db }, actor, ip }: Action): Promise<void> {
  const accountId = ownAccount(actor);
  await db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    if (await isRequiredOf(tx, actor.role))
      throw new AppError('CONFLICT', 'Your role needs two-factor sign-in. You can only set it up again.');
    if (!(await removeFactor(tx, accountId))) return;
    const subject = { kind: 'account', id: accountId };
    await recordAudit(tx, { actor, ip, action: 'second-factor.turn-off', subject });
  });
}

export async function findTeamFactors(db: Queryable): Promise<TeamFactors> {
  const linked = await db.selectDistinct({ id: staffIdentities.accountId }).from(staffIdentities);
  return {
    accounts: await listFactors(db),
    linked: linked.map(({ id }) => id),
    requiredRoles: await listRequiredRoles(db),
  };
}

/**
 * Sets the roles that need a second factor, and ends the sessions of their people who have none: they set it up at the
 * next sign-in. Throws CONFLICT if the caller's own role would need one that the caller lacks.
 */
export function requireFactor(
  { services: { db }, actor, ip }: Action,
  roles: readonly StaffRole[],
): Promise<TeamFactors> {
  return db.transaction(async (tx) => {
    await setRequiredRoles(tx, roles);
    const having = new Set(await listFactors(tx));
    if (roles.includes(actor.role) && !having.has(actor.accountId ?? 0))
      throw new AppError('CONFLICT', 'Set up two-factor sign-in for your own account first.');
    for (const { id, role } of await listAccounts(tx))
      if (roles.includes(role) && !having.has(id)) await endAccountSessions(tx, id);
    if (roles.includes('owner')) await endAccountSessions(tx, null);
    await recordAudit(tx, { actor, ip, action: 'second-factor.roles', subject: null, detail: { roles } });
    return findTeamFactors(tx);
  });
}

/** Takes an account's second factor away and ends its sessions. Returns whether it had one. */
export async function takeFactorAway(
  db: Queryable,
  { actor, ip }: { actor: AuditActor; ip: string | null },
  accountId: number,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    if (!(await removeFactor(tx, accountId))) return false;
    await endAccountSessions(tx, accountId);
    const subject = { kind: 'account', id: accountId };
    await recordAudit(tx, { actor, ip, action: 'second-factor.reset', subject });
    return true;
  });
}

const resetMail = {
  subject: 'Your two-factor sign-in was reset',
  intro: (by: string) =>
    `${by} reset the two-factor sign-in of your account in the dashboard of ${brand.name}. Your next sign-in needs no code. Set it up again in the account menu.`,
  unexpected: 'If you didn’t ask for it, call an owner of your team now, and change your password.',
} as const;

/** Resets another person's second factor and emails them. Throws CONFLICT for the caller's own, NOT_FOUND. */
export async function resetFactor(action: Action, accountId: number): Promise<void> {
  const { services, actor } = action;
  refuseOwn(accountId, actor, 'Set it up again in the account menu.');
  const { email } = await getAccount(services.db, accountId);
  if (!(await takeFactorAway(services.db, action, accountId))) return;
  const { subject, intro, unexpected } = resetMail;
  void sendStaffMail(services, { to: email, subject, parts: [intro(actor.name), unexpected] });
}
