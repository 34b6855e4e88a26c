import { createHash, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { type LinkKind, linkMinutes, signInLinkCopy as copy } from '#shared/admin/signInLinks.ts';
import { brand } from '#shared/brand/brand.ts';
import { minuteMs } from '#shared/formats/time.ts';
import { renderPlainMail } from '#shared/mail/mail.ts';
import { signInLinkPath } from '#shared/pages/paths.ts';
import type { Caller } from '#server/caller.ts';
import { publicConfig } from '#server/config/config.ts';
import type { Queryable } from '#server/db/connect.ts';
import { type StaffAccountRow, type StaffInvitationRow, staffInvitations } from '#server/db/schema/index.ts';
import { AppError } from '#server/errors.ts';
import { readStamped, signStamped } from '#server/security/signedText.ts';
import type { Services } from '#server/services.ts';
import { type AuditActor, recordAudit, visitor } from '../audit/audit.ts';
import { accountStamp, findAccountByEmail, lockAccount, recordSignIn } from './accounts.ts';
import { addSignInCookies, startMemberSession } from './signIn.ts';

export type LinkServices = Pick<Services, 'config' | 'db' | 'log' | 'mail' | 'now'> & {
  limits: Pick<Services['limits'], 'signIns'>;
};

const uses = { 'sign-in': 'sign-in-link', reset: 'password-reset', invitation: 'invitation' } as const;
const kinds = ['sign-in', 'reset', 'invitation'] as const satisfies readonly LinkKind[];

/** What a link is about: an account, or an invitation to one. */
export type LinkSubject =
  | { kind: 'sign-in'; row: StaffAccountRow }
  | { kind: 'reset'; row: StaffAccountRow }
  | { kind: 'invitation'; row: StaffInvitationRow };

/**
 * Changes when the link is used or replaced: a sign-in link's with each sign-in and each new password, a reset's with
 * each new password, also one that a restore made void, an invitation's with each sending.
 */
function toStamp(subject: LinkSubject): string {
  if (subject.kind === 'sign-in') return accountStamp(subject.row);
  const text = stampedText(subject);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

function stampedText({ kind, row }: Exclude<LinkSubject, { kind: 'sign-in' }>): string {
  return kind === 'invitation'
    ? `${row.sentAt.getTime()}\n${row.email}\n${row.role}`
    : `${row.passwordVoidAt?.getTime() ?? ''}\n${row.passwordHash}`;
}

/** The token of a link: the subject's id, its end and its stamp. Nothing personal. */
function signLink(keys: readonly string[], subject: LinkSubject, now: Date): string {
  const { kind, row } = subject;
  const endsMs = now.getTime() + linkMinutes[kind] * minuteMs;
  return signStamped(keys, uses[kind], { id: row.id, stamp: toStamp(subject), endsMs });
}

interface SignedLink {
  kind: LinkKind;
  id: number;
  stamp: string;
}

/** A token of ours that hasn't ended; null for any other. */
function readLink({ config, now }: Pick<LinkServices, 'config' | 'now'>, token: string): SignedLink | null {
  for (const kind of kinds) {
    const read = readStamped(config.secretKeys, uses[kind], token);
    if (read !== null) return now().getTime() < read.endsMs ? { ...read, kind } : null;
  }
  return null;
}

async function findSubject(db: Queryable, { kind, id }: SignedLink): Promise<LinkSubject | null> {
  if (kind === 'invitation') {
    const own = eq(staffInvitations.id, id);
    const [row] = await db.select().from(staffInvitations).where(own).for('update');
    return row === undefined ? null : { kind, row };
  }
  const row = await lockAccount(db, id);
  return row === null ? null : { kind, row };
}

/**
 * The account or invitation of a link that can be used now; null of any other link. Locks it: of two concurrent uses
 * in transactions, the second finds none.
 */
export async function findLinkSubject(
  services: Pick<LinkServices, 'config' | 'now'>,
  db: Queryable,
  token: string,
): Promise<LinkSubject | null> {
  const link = readLink(services, token);
  const subject = link === null ? null : await findSubject(db, link);
  return subject !== null && toStamp(subject) === link?.stamp ? subject : null;
}

interface StaffMail {
  to: string;
  subject: string;
  parts: Parameters<typeof renderPlainMail>[1];
}

/** Sends a message to a member of the staff. Returns whether it was accepted. */
export async function sendStaffMail(
  { config, log, mail }: Pick<LinkServices, 'config' | 'log' | 'mail'>,
  { to, subject, parts }: StaffMail,
): Promise<boolean> {
  const result = await mail.mailer
    .send({
      id: randomUUID(),
      to: { name: '', address: to },
      replyTo: { name: config.mailFrom.name, address: config.contacts.email },
      rendered: renderPlainMail(subject, parts),
      unsubscribeUrl: null,
    })
    .catch((error: unknown) => {
      log.warn({ event: 'staff-mail.failed', err: error }, 'a message to staff could not be sent');
      return null;
    });
  if (result !== null && result.outcome !== 'delivered')
    log.warn({ event: 'staff-mail.refused' }, 'a message to staff could not be sent');
  return result?.outcome === 'delivered';
}

/** Throws SERVICE_UNAVAILABLE. */
export function refuseWithoutMail({ mail }: Pick<LinkServices, 'mail'>): void {
  if (mail.mailer.heldReason() !== null)
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      'This installation can’t send email. Sign in with the password.',
    );
}

/** Records that a link is sent, before it is: in an invitation's transaction, which a crash must not leave without. */
export function recordLink(
  db: Queryable,
  { actor, ip }: { actor: AuditActor; ip: string },
  { kind, row }: LinkSubject,
): Promise<void> {
  const by = { actor, ip };
  if (kind === 'invitation') {
    const subject = { kind: 'invitation', id: row.id };
    return recordAudit(db, { ...by, action: 'account.invite', subject, detail: { role: row.role } });
  }
  const action = kind === 'reset' ? 'account.reset-link' : 'sign-in-link';
  return recordAudit(db, { ...by, action, subject: { kind: 'account', id: row.id } });
}

/** Sends a recorded link to its subject's address. Returns whether the message was accepted. */
export function sendLink(services: LinkServices, subject: LinkSubject): Promise<boolean> {
  const { config, now } = services;
  const { kind, row } = subject;
  const href = `${publicConfig(config).mainOrigin}${signInLinkPath(signLink(config.secretKeys, subject, now()))}`;
  const { subject: title, intro, ignore } = copy.mails[kind];
  const parts = [intro(brand.name), { href }, ignore];
  return sendStaffMail(services, { to: row.email, subject: title, parts });
}

/**
 * Sends a link to an account's address, to sign in or to choose a new password. Answers before the message is sent, and
 * the same without an account or after a recent link. Throws TOO_MANY_REQUESTS for the network, SERVICE_UNAVAILABLE
 * without email.
 */
export async function requestLink(
  services: LinkServices,
  { ip }: Caller,
  { email, kind }: { email: string; kind: 'sign-in' | 'reset' },
): Promise<void> {
  refuseWithoutMail(services);
  const mayBeSent = await services.limits.signIns.takeLink({ ip, email, kind });
  const row = await findAccountByEmail(services.db, email);
  if (row === null || !mayBeSent) return;
  void recordLink(services.db, { actor: visitor, ip }, { kind, row })
    .then(() => sendLink(services, { kind, row }))
    .catch((error: unknown) =>
      services.log.warn({ event: 'sign-in-link.failed', err: error }, 'a link could not be sent'),
    );
}

/** Signs in the link's account once, adding cookies to `caller.responseCookies`. False if used, ended or replaced. */
export async function signInByLink(services: LinkServices, caller: Caller, token: string): Promise<boolean> {
  const { config, db, now } = services;
  const at = now();
  const signedIn = await db.transaction(async (tx) => {
    const subject = await findLinkSubject(services, tx, token);
    if (subject?.kind !== 'sign-in') return null;
    const member = await recordSignIn(tx, subject.row, at);
    const opened = await startMemberSession(tx, { member, caller, now: at, detail: { by: 'link' } });
    return { email: member.email, opened };
  });
  if (signedIn === null) return false;
  const { email, opened } = signedIn;
  addSignInCookies(caller, opened, { secretKeys: config.secretKeys, email, now: at });
  return true;
}
