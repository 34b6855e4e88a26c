import { z } from 'zod';
import { confirmInput, signInInput, staffMember } from '#shared/admin/staff.ts';
import { signInOutput } from '#shared/admin/secondFactor.ts';
import { signInLinkInput } from '#shared/admin/signInLinks.ts';
import {
  accountCreateInput,
  accountIdInput,
  accountPasswordInput,
  accountRoleInput,
  invitationList,
  invitationSent,
  inviteInput,
  passwordChangeInput,
  sessionIdInput,
  staffSession,
  staffAccount,
  apiToken,
  tokenCreateInput,
  tokenCreateOutput,
  tokenIdInput,
} from '#shared/admin/access.ts';
import { mainSiteProcedure, router, staffProcedure } from '#server/procedures.ts';
import { recordAudit } from '../audit/audit.ts';
import { refuseUnconfigured } from './authorize.ts';
import { confirmIdentity } from './recentSignIn.ts';
import { getMember, signIn, signOut } from './signIn.ts';
import { recordLink, refuseWithoutMail, requestLink, sendLink } from './signInLinks.ts';
import {
  changeRole,
  deleteAccount,
  getAccount,
  hashNewPassword,
  insertAccount,
  keepAnOwner,
  listAccounts,
  presentAccount,
  refuseOwn,
  updateAccount,
} from './accounts.ts';
import {
  invite,
  listInvitations,
  presentInvitation,
  refuseByHand,
  resendInvitation,
  withdrawInvitation,
} from './invitations.ts';
import { unlinkAccount } from './oidcSignIn.ts';
import { changeOwnPassword } from './passwords.ts';
import { endSessions, listSessions } from './sessions.ts';
import { listTokens, makeToken, presentToken, endToken } from './tokens.ts';

const owner = staffProcedure('owner');
/** For owners whose session might be somebody else's by now. */
const recentOwner = owner.meta({ needsRecentSignIn: true });

export const sessionRouter = router({
  signIn: mainSiteProcedure
    .meta({ cost: 10 })
    .input(signInInput)
    .output(signInOutput)
    .mutation(async ({ ctx: { services, caller }, input }) => {
      await refuseUnconfigured(services);
      return signIn(services, caller, input);
    }),

  /** Emails an account a link, to sign in or to choose a new password. The answer is the same for an address without an account. */
  requestLink: mainSiteProcedure
    .meta({ cost: 10 })
    .input(signInLinkInput)
    .output(z.null())
    .mutation(async ({ ctx: { services, caller }, input }) => {
      await refuseUnconfigured(services);
      await requestLink(services, caller, input);
      return null;
    }),

  signOut: staffProcedure('viewer')
    .output(z.null())
    .mutation(async ({ ctx: { services, caller, actor } }) => {
      await signOut(services, caller, actor);
      return null;
    }),

  /** For actions that need a recent sign-in: a right password counts as one. */
  confirm: staffProcedure('viewer')
    .meta({ cost: 10 })
    .input(confirmInput)
    .output(z.null())
    .mutation(async ({ ctx: { services, staffAction }, input }) => {
      await confirmIdentity(services, staffAction, input);
      return null;
    }),

  /** Ends the account's other sessions. */
  changePassword: staffProcedure('viewer')
    .meta({ cost: 10 })
    .input(passwordChangeInput)
    .output(z.null())
    .mutation(async ({ ctx: { services, staffAction }, input }) => {
      await changeOwnPassword(services, staffAction, input);
      return null;
    }),

  /** Those of the account, or of the shared password. */
  list: staffProcedure('viewer')
    .output(z.array(staffSession))
    .query(({ ctx: { services, actor } }) => listSessions(services, actor, { accountId: actor.accountId })),

  end: staffProcedure('viewer')
    .input(sessionIdInput)
    .output(z.null())
    .mutation(({ ctx: { services, actor, staffAction }, input: { id } }) =>
      endSessions(services.db, staffAction, { accountId: actor.accountId, id }),
    ),

  endOthers: staffProcedure('viewer')
    .output(z.null())
    .mutation(({ ctx: { services, actor, staffAction } }) => {
      const { accountId, sessionId: exceptId } = actor;
      return endSessions(services.db, staffAction, { accountId, exceptId });
    }),

  me: staffProcedure('viewer')
    .output(staffMember)
    .query(({ ctx: { services, actor } }) => getMember(services, actor)),
});

export const accountsRouter = router({
  list: owner
    .output(z.array(staffAccount))
    .query(async ({ ctx: { services, actor } }) =>
      (await listAccounts(services.db)).map((row) => presentAccount(row, actor)),
    ),

  invitations: owner.output(invitationList).query(async ({ ctx: { services } }) => ({
    sendsMail: services.config.smtpUrl !== null,
    invitations: (await listInvitations(services.db)).map(presentInvitation),
  })),

  invite: recentOwner
    .input(inviteInput)
    .output(invitationSent)
    .mutation(({ ctx: { services, staffAction }, input }) => invite(services, staffAction, input)),

  resendInvitation: recentOwner
    .input(accountIdInput)
    .output(invitationSent)
    .mutation(({ ctx: { services, staffAction }, input }) =>
      resendInvitation(services, staffAction, input.id),
    ),

  withdrawInvitation: owner
    .input(accountIdInput)
    .output(accountIdInput)
    .mutation(({ ctx: { services, staffAction }, input }) =>
      services.db.transaction(async (tx) => {
        await withdrawInvitation(tx, staffAction, input.id);
        return input;
      }),
    ),

  /** Emails the account a link to choose a new password. */
  sendReset: owner
    .input(accountIdInput)
    .output(z.object({ isSent: z.boolean() }))
    .mutation(async ({ ctx: { services, staffAction }, input }) => {
      refuseWithoutMail(services);
      const subject = { kind: 'reset', row: await getAccount(services.db, input.id) } as const;
      await recordLink(services.db, staffAction, subject);
      return { isSent: await sendLink(services, subject) };
    }),

  /** Everyone's. */
  listSessions: owner
    .output(z.array(staffSession))
    .query(({ ctx: { services, actor } }) => listSessions(services, actor, {})),

  endSession: owner
    .input(sessionIdInput)
    .output(z.null())
    .mutation(({ ctx: { services, staffAction }, input: { id } }) =>
      endSessions(services.db, staffAction, { id }),
    ),

  /** Only where email isn't configured. */
  create: recentOwner
    .input(accountCreateInput)
    .output(staffAccount)
    .mutation(async ({ ctx, input: { password, ...given } }) => {
      const { services, actor, ip } = ctx.staffAction;
      refuseByHand(services);
      const passwordHash = await hashNewPassword(password, given);
      return services.db.transaction(async (tx) => {
        const row = await insertAccount(tx, { ...given, passwordHash, createdAt: services.now() });
        const subject = { kind: 'account', id: row.id };
        const detail = { role: row.role };
        await recordAudit(tx, { actor, ip, action: 'account.create', subject, detail });
        return presentAccount(row, actor);
      });
    }),

  /** Takes effect immediately, also for open sessions. */
  setRole: recentOwner
    .input(accountRoleInput)
    .output(staffAccount)
    .mutation(async ({ ctx: { services, actor, staffAction }, input }) =>
      presentAccount(await changeRole(services.db, staffAction, input), actor),
    ),

  /** Ends the account's other sessions. Its next single sign-on links it again, by the verified address. */
  unlink: recentOwner
    .input(accountIdInput)
    .output(z.null())
    .mutation(async ({ ctx: { services, staffAction }, input: { id } }) => {
      await unlinkAccount(services.db, staffAction, id);
      return null;
    }),

  /** Only where email isn't configured. Ends every session of the account, including the caller's. */
  setPassword: recentOwner
    .input(accountPasswordInput)
    .output(staffAccount)
    .mutation(async ({ ctx, input: { id, password } }) => {
      const { services, actor, ip } = ctx.staffAction;
      refuseByHand(services);
      const passwordHash = await hashNewPassword(password, await getAccount(services.db, id));
      return services.db.transaction(async (tx) => {
        const row = await updateAccount(tx, id, { passwordHash });
        const subject = { kind: 'account', id };
        await recordAudit(tx, { actor, ip, action: 'account.password', subject });
        return presentAccount(row, actor);
      });
    }),

  remove: recentOwner
    .input(accountIdInput)
    .output(accountIdInput)
    .mutation(({ ctx, input: { id } }) => {
      const { services, actor, ip } = ctx.staffAction;
      refuseOwn(id, actor, 'Another owner must remove your account.');
      return services.db.transaction(async (tx) => {
        await keepAnOwner(tx, id, actor);
        await deleteAccount(tx, id);
        const subject = { kind: 'account', id };
        await recordAudit(tx, { actor, ip, action: 'account.remove', subject });
        return { id };
      });
    }),
});

export const apiTokensRouter = router({
  list: owner
    .output(z.array(apiToken))
    .query(async ({ ctx }) => (await listTokens(ctx.services.db)).map((row) => presentToken(row))),

  /** The response is the only one that contains the token. */
  create: recentOwner
    .input(tokenCreateInput)
    .output(tokenCreateOutput)
    .mutation(async ({ ctx, input }) => {
      const { services, actor, ip } = ctx.staffAction;
      const by = { actor, ip, now: services.now() };
      const { row, token } = await makeToken(services.db, by, input);
      return { token, created: presentToken(row) };
    }),

  revoke: owner
    .input(tokenIdInput)
    .output(apiToken)
    .mutation(async ({ ctx, input }) => {
      const { services, actor, ip } = ctx.staffAction;
      return presentToken(await endToken(services.db, { actor, ip, now: services.now() }, input.id));
    }),
});
