import type { Config } from '#server/config/config.ts';
import type { Mailer } from './message.ts';
import { createOutbox, type Outbox } from './mailOutbox.ts';
import { createSmtp } from './smtp.ts';

export interface Mail {
  mailer: Mailer;
  /** Null if SMTP is configured. */
  outbox: Outbox | null;
}

/** Why a delivery is held, for staff. */
const notConfigured = 'Email is not configured (SMTP_URL).';

type MailConfig = Pick<Config, 'smtpUrl' | 'smtpRequiresTls' | 'mailFrom' | 'production' | 'dataDir'>;

/**
 * Sends by SMTP if it is configured. Otherwise messages are written to the outbox in development and held in
 * production.
 */
export function createMail(config: MailConfig, now: () => Date): Mail {
  const { smtpUrl, smtpRequiresTls: requiresTls, mailFrom: from, production, dataDir } = config;
  if (smtpUrl !== null) return { mailer: createSmtp({ url: smtpUrl, requiresTls, from, now }), outbox: null };
  const outbox = createOutbox({ dataDir, from, now });
  return { mailer: production ? { ...outbox, heldReason: () => notConfigured } : outbox, outbox };
}
