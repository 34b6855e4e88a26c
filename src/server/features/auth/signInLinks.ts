import { randomUUID } from 'node:crypto';
import { signInLinkCopy as copy, signInLinkMinutes } from '#shared/admin/signInLinks.ts';
import { brand } from '#shared/brand/brand.ts';
import { minuteMs } from '#shared/formats/time.ts';
import { renderPlainMail } from '#shared/mail/mail.ts';
import { signInLinkPath } from '#shared/pages/paths.ts';
import type { Caller } from '#server/caller.ts';
import { publicConfig } from '#server/config/config.ts';
import type { Queryable } from '#server/db/connect.ts';
import type { StaffAccountRow } from '#server/db/schema/index.ts';
import { AppError } from '#server/errors.ts';
import { readSigned, signText } from '#server/security/signedText.ts';
import type { Services } from '#server/services.ts';
import { recordAudit } from '../audit/audit.ts';
import { accountStamp, findAccount, findAccountByEmail, lockAccount, recordSignIn } from './accounts.ts';
import { addSignInCookies, startMemberSession } from './signIn.ts';

type LinkServices = Pick<Services, 'config' | 'db' | 'log' | 'mail' | 'now'> & {
  limits: Pick<Services['limits'], 'signIns'>;
};

const lifeMs = signInLinkMinutes * minuteMs;

/** The token of a link: the account, its end and its stamp. Nothing personal. */
function signLink(keys: readonly string[], account: StaffAccountRow, now: Date): string {
  const ends = (now.getTime() + lifeMs).toString(36);
  return signText(keys, 'sign-in-link', `${account.id}_${ends}_${accountStamp(account)}`);
}

interface SignedLink {
  accountId: number;
  stamp: string;
}

/** A token of ours that hasn't ended; null for any other. */
function readLink({ config, now }: Pick<LinkServices, 'config' | 'now'>, token: string): SignedLink | null {
  const text = readSigned(config.secretKeys, 'sign-in-link', token) ?? '';
  const [, id = '', ends = '', stamp = ''] =
    /^([1-9]\d{0,14})_([0-9a-z]{1,11})_([\w-]{22})$/.exec(text) ?? [];
  const isOpen = stamp !== '' && now().getTime() < Number.parseInt(ends, 36);
  return isOpen ? { accountId: Number(id), stamp } : null;
}

async function sendLink(services: LinkServices, account: StaffAccountRow, ip: string): Promise<void> {
  const { config, db, log, mail, now } = services;
  const token = signLink(config.secretKeys, account, now());
  const href = `${publicConfig(config).mainOrigin}${signInLinkPath(token)}`;
  const { subject: title, intro, ignore } = copy.mail;
  const rendered = renderPlainMail(title, [intro(brand.name), { href }, ignore]);
  const result = await mail.mailer.send({
    id: randomUUID(),
    to: { name: '', address: account.email },
    replyTo: { name: config.mailFrom.name, address: config.contacts.email },
    rendered,
    unsubscribeUrl: null,
  });
  if (result.outcome !== 'delivered')
    log.warn({ event: 'sign-in-link.refused', account: account.id }, 'a sign-in link could not be sent');
  await recordAudit(db, {
    actor: { kind: 'visitor', name: 'Visitor' },
    ip,
    action: 'sign-in-link',
    subject: { kind: 'account', id: account.id },
    detail: { isSent: result.outcome === 'delivered' },
  });
}

/**
 * Sends a sign-in link to an account's address. Answers before the message is sent, and the same without an account or
 * after a recent link. Throws TOO_MANY_REQUESTS for the network, SERVICE_UNAVAILABLE without email.
 */
export async function requestSignInLink(
  services: LinkServices,
  { ip }: Caller,
  email: string,
): Promise<void> {
  if (services.mail.mailer.heldReason() !== null)
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      'This installation can’t send email. Sign in with the password.',
    );
  const mayBeSent = await services.limits.signIns.takeLink({ ip, email });
  const account = await findAccountByEmail(services.db, email);
  if (account === null || !mayBeSent) return;
  void sendLink(services, account, ip).catch((error: unknown) =>
    services.log.warn({ event: 'sign-in-link.failed', err: error }, 'a sign-in link could not be sent'),
  );
}

/** Whether a link can be used now. */
export async function isLinkOpen(services: LinkServices, token: string): Promise<boolean> {
  const link = readLink(services, token);
  const account = link === null ? null : await findAccount(services.db, link.accountId);
  return account !== null && accountStamp(account) === link?.stamp;
}

/** The account of a link, locked, if the link can be used. Of two concurrent uses, the second finds none. */
async function takeLink(
  tx: Queryable,
  { accountId, stamp }: SignedLink,
  now: Date,
): Promise<StaffAccountRow | null> {
  const account = await lockAccount(tx, accountId);
  return account === null || accountStamp(account) !== stamp ? null : recordSignIn(tx, account, now);
}

/** Signs in the link's account once, adding cookies to `caller.responseCookies`. False if used, ended or replaced. */
export async function signInByLink(services: LinkServices, caller: Caller, token: string): Promise<boolean> {
  const { config, db, now } = services;
  const link = readLink(services, token);
  if (link === null) return false;
  const at = now();
  const signedIn = await db.transaction(async (tx) => {
    const account = await takeLink(tx, link, at);
    if (account === null) return null;
    const { id: accountId, name, role, passwordHash } = account;
    const member = { name, role, accountId, passwordHash };
    const opened = await startMemberSession(tx, { member, ip: caller.ip, now: at, detail: { by: 'link' } });
    return { email: account.email, opened };
  });
  if (signedIn === null) return false;
  const { secretKeys } = config;
  const deviceInput = { secretKeys, cookie: caller.credentials.device, email: signedIn.email, now: at };
  addSignInCookies(caller, signedIn.opened, deviceInput);
  return true;
}
