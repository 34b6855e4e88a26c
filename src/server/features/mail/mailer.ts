import type { Config } from '#server/config/config.ts';
import type { Mailer } from './message.ts';
import { createMailFolder, type MailFolder } from './mailFolder.ts';
import { createSmtp } from './smtp.ts';

export interface Mail {
  mailer: Mailer;
  /** Sends alerts to owners: by `ALERT_SMTP_URL` if it is set, so that they arrive when the other route is refused. */
  alertMailer: Mailer;
  /** Null if SMTP is configured. */
  folder: MailFolder | null;
}

/** Why a delivery is held, for staff. */
const notConfigured = 'Email is not configured (SMTP_URL).';

type MailConfig = Pick<
  Config,
  'smtpUrl' | 'smtpRequiresTls' | 'alertSmtp' | 'mailFrom' | 'production' | 'dataDir'
>;

/** Sends by SMTP if it is configured. Otherwise messages go to a folder in development, and wait in production. */
export function createMail(config: MailConfig, now: () => Date): Mail {
  const { smtpUrl, alertSmtp, smtpRequiresTls: requiresTls, mailFrom: from, production, dataDir } = config;
  const alertMailer = alertSmtp === null ? null : createSmtp({ ...alertSmtp, from, now });
  if (smtpUrl !== null) {
    const mailer = createSmtp({ url: smtpUrl, requiresTls, from, now });
    return { mailer, alertMailer: alertMailer ?? mailer, folder: null };
  }
  const folder = createMailFolder({ dataDir, from, now });
  const mailer = production ? { ...folder, heldReason: () => notConfigured } : folder;
  return { mailer, alertMailer: alertMailer ?? mailer, folder };
}
