import type { Config } from '#server/config/config.ts';
import type { Mailer } from './message.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { createSmtp } from './smtp.ts';

export interface Mail {
  mailer: Mailer;
  /** Null where SMTP is configured: nothing is put there. */
  outbox: Outbox | null;
}

/** What staff read beside a delivery that waits. */
const notConfigured = 'E-mail is not configured (SMTP_URL).';

type MailConfig = Pick<Config, 'smtpUrl' | 'smtpRequiresTls' | 'mailFrom' | 'production' | 'dataDir'>;

/** By SMTP where it is configured. Without, into the outbox on a developer's machine, and in production not at all: messages wait. */
export function createMail(config: MailConfig, now: () => Date): Mail {
  const { smtpUrl, smtpRequiresTls: requiresTls, mailFrom: from, production, dataDir } = config;
  if (smtpUrl !== null) return { mailer: createSmtp({ url: smtpUrl, requiresTls, from, now }), outbox: null };
  const outbox = createOutbox({ dataDir, from, now });
  return { mailer: production ? { ...outbox, heldReason: () => notConfigured } : outbox, outbox };
}
