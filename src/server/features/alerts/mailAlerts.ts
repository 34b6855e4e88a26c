import { randomUUID } from 'node:crypto';
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { alertsMailCopy as copy, alertTitles, type OpenAlert } from '#shared/admin/alerts.ts';
import { brand } from '#shared/brand/brand.ts';
import { type RenderedMail, renderPlainMail } from '#shared/mail/mail.ts';
import { publicConfig } from '#server/config/config.ts';
import { alerts, auditLog } from '#server/db/schema/index.ts';
import { recordAudit, system } from '../audit/audit.ts';
import { listAccounts } from '../auth/accounts.ts';
import { listAlerts } from './alerts.ts';
import type { Services } from '#server/services.ts';

/** Less than a day, so that an hourly run never skips one. */
const mailedEveryMs = 23.5 * 60 * 60 * 1000;
const subject = { kind: 'alert', id: 'owners' } as const;

/** Every open alert on a line, as text and as a list. */
function renderAlertMail(
  open: readonly OpenAlert[],
  { total, href }: { total: number; href: string },
): RenderedMail {
  const lines = open.map(({ kind, message }) => `${alertTitles[kind]}: ${message}`);
  const more = total > open.length ? [copy.more(total - open.length)] : [];
  return renderPlainMail(copy.subject(total), [
    copy.intro(brand.name),
    { items: [...lines, ...more] },
    { href },
  ]);
}

/**
 * Emails open alerts to the owners (without accounts, to the contact address) by the alert route (`ALERT_SMTP_URL`), at
 * most daily and only if one is new. A refusal is retried at the next run. Returns how many were sent.
 */
export async function mailAlerts(
  services: Pick<Services, 'config' | 'db' | 'mail' | 'now'>,
): Promise<number> {
  const { config, db, mail, now } = services;
  const { alertMailer: mailer } = mail;
  if (mailer.heldReason() !== null) return 0;
  const at = now();
  // Those that are raised while it is sent are for the next one.
  const { kind, subject: about } = alerts;
  const unmailed = await db.select({ kind, about }).from(alerts).where(isNull(alerts.mailedAt));
  if (unmailed.length === 0) return 0;
  const isRecent = and(
    eq(auditLog.subjectKind, subject.kind),
    eq(auditLog.subjectId, subject.id),
    eq(auditLog.action, 'alerts.mail'),
    gt(auditLog.at, sql`now() - make_interval(secs => ${mailedEveryMs / 1000})`),
  );
  if ((await db.$count(auditLog, isRecent)) > 0) return 0;
  const { alerts: open, total } = await listAlerts(db);
  const { mainOrigin } = publicConfig(config);
  const rendered = renderAlertMail(open, { total, href: `${mainOrigin}/admin` });
  const owners = (await listAccounts(db)).filter(({ role }) => role === 'owner').map(({ email }) => email);
  let sent = 0;
  for (const address of owners.length > 0 ? owners : [config.contacts.email]) {
    const result = await mailer.send({
      id: randomUUID(),
      hasNoContact: true,
      to: { name: '', address },
      replyTo: { name: config.mailFrom.name, address: config.contacts.email },
      rendered,
      unsubscribeUrl: null,
    });
    if (result.outcome === 'delivered') sent += 1;
  }
  if (sent === 0) return 0;
  await db.transaction(async (tx) => {
    const isMailed = unmailed.map((one) => and(eq(kind, one.kind), eq(about, one.about)));
    const detail = { alerts: total };
    await tx
      .update(alerts)
      .set({ mailedAt: at })
      .where(or(...isMailed));
    await recordAudit(tx, { actor: system, ip: null, action: 'alerts.mail', subject, detail });
  });
  return sent;
}
