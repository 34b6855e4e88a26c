import { createTransport } from 'nodemailer';
import { z } from 'zod';
import type { RefusalClass } from '#shared/admin/deliveries.ts';
import { classifySmtp, parseEnhancedCode, isBeforeRecipient, type SmtpStage } from '../outbox/refusals.ts';
import type { DeliveryResult, FailedResult } from '../outbox/types.ts';
import {
  type MailAddress,
  type Mailer,
  type MailRecipient,
  type Message,
  mailOptions,
  buildMessageId,
} from './message.ts';

/** Short: an attempt has fifteen seconds. */
const connectTimeoutMs = 8_000;
const silenceTimeoutMs = 12_000;
/** Shorter than most servers' idle timeout, so that no message starts on a connection that is about to close. */
const idleMs = 30_000;

interface SmtpOptions {
  /** `smtp(s)://user:password@host:port`, with nodemailer's options as its query: `?requireTLS=true`. */
  url: string;
  /** Sends nothing before TLS, even if the server seems to offer none. `requireTLS` in the URL overrides this. */
  requiresTls?: boolean;
  from: MailAddress;
  now: () => Date;
}

/** Sends by SMTP over a pool of a few connections. One call is one attempt: nothing is retried here. */
export function createSmtp({ url, requiresTls = false, from, now }: SmtpOptions): Mailer {
  const starts = watchStarts();
  const transport = createTransport({
    url,
    logger: starts.logger,
    requireTLS: requiresTls,
    pool: true,
    maxRequeues: 0,
    idleTimeout: idleMs,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    heldReason: () => null,
    close: () => transport.close(),
    async send(message: Message, signal?: AbortSignal): Promise<DeliveryResult> {
      const messageId = buildMessageId(message.id, message.from ?? from);
      try {
        const sent = await transport.sendMail({
          ...mailOptions(message, from, now()),
          ...(signal === undefined ? {} : { signal }),
        });
        return {
          outcome: 'delivered',
          status: `SMTP ${sent.response.slice(0, 3)}`,
          answer: sent.response,
          remoteId: messageId,
        };
      } catch (error) {
        return smtpFailure(error, message, starts.take(messageId));
      } finally {
        starts.take(messageId);
      }
    },
  };
}

type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

interface StartLog {
  logger: Record<LogLevel, (entry: unknown) => void>;
  /** Whether the message was being sent: forgets it. */
  take: (messageId: string) => boolean;
}

const sendEntry = z.object({ tnx: z.literal('send'), messageId: z.string().min(1) });

/**
 * How far a message came, by nodemailer's log: a lost or silent connection names no step. Keeps only its Message-ID.
 */
function watchStarts(): StartLog {
  const started = new Set<string>();
  const ignore = (): void => undefined;
  return {
    logger: {
      ...{ trace: ignore, debug: ignore, warn: ignore, error: ignore, fatal: ignore },
      info(entry: unknown) {
        const sending = sendEntry.safeParse(entry);
        if (sending.success) started.add(sending.data.messageId);
      },
    },
    take: (messageId) => started.delete(messageId),
  };
}

/** The refused step. `hasStarted`: the server had let us in. Nodemailer says DATA for the command and the message. */
function toStage({ command, code, originalCode }: SmtpFacts, hasStarted: boolean): SmtpStage {
  if (command === 'RCPT TO') return 'rcpt';
  if (command === 'DATA') return code === 'EMESSAGE' ? 'end-of-data' : 'data';
  if (command === 'MAIL FROM') return 'mail-from';
  if (command.startsWith('AUTH') || code === 'EAUTH') return 'auth';
  if (command === 'STARTTLS' || code === 'ETLS' || secureFaults.test(originalCode)) return 'tls';
  if (hasStarted) return 'data';
  return command === 'EHLO' || command === 'HELO' || code === 'EPROTOCOL' ? 'greeting' : 'connect';
}

/** The result of a failed attempt, by the table in outbox/refusals.ts. */
function smtpFailure(error: unknown, { recipient: about }: Message, hasStarted: boolean): FailedResult {
  const recipient = about ?? 'none';
  const facts = toFacts(error);
  const { responseCode, response, code } = facts;
  const status = responseCode === null ? null : `SMTP ${responseCode}`;
  // Nodemailer sends nothing to an address that it can't write in a command.
  if (code === 'EENVELOPE' && responseCode === null) {
    const reason = `The address is none that mail can be sent to. ${addressAdvice[recipient]}`;
    return { outcome: 'failed', refusal: 'recipient', status, answer: response, reason };
  }
  const stage = toStage(facts, hasStarted);
  const refusal = classifySmtp({ stage, code: responseCode, text: response ?? '' });
  return {
    outcome: 'failed',
    refusal,
    status,
    answer: response,
    reason: failureSentence({ stage, refusal, recipient, facts }),
    ...(isBeforeRecipient(stage) ? { pausesChannel: true } : {}),
  };
}

/** Node's error codes for problems with certificates or TLS. */
const secureFaults = /CERT|TLS|SSL|SIGNATURE/;

/** Authentication is missing or was refused (RFC 4954), or the connection isn't secure enough, at any step. */
const signInCodes: ReadonlySet<number> = new Set([530, 534, 535, 538]);

const addressAdvice: Readonly<Record<MailRecipient | 'none', string>> = {
  provider: 'Check the provider’s email address.',
  person: 'Check the lead’s email address.',
  none: 'Check the email address.',
};

const messageAdvice: Readonly<Record<MailRecipient | 'none', string>> = {
  provider: 'Call the clinic with the details.',
  person: 'The provider gets the lead nevertheless.',
  none: 'Read the answer.',
};

const senderSettings: Readonly<Record<MailRecipient | 'none', string>> = {
  provider: 'MAIL_FROM',
  person: 'MAIL_FROM_VISITORS (without it, MAIL_FROM)',
  none: 'MAIL_FROM',
};

interface Refused {
  stage: SmtpStage;
  refusal: RefusalClass;
  recipient: MailRecipient | 'none';
  facts: SmtpFacts;
}

/** What happened and what to do, with the codes and without contact details. */
function failureSentence({ stage, refusal, recipient, facts }: Refused): string {
  const { responseCode, response, code } = facts;
  if (stage === 'tls') return 'No secure connection to the mail server could be made. Check its certificate.';
  if (code === 'ETIMEDOUT' || code === 'EABORT') return 'The mail server did not answer in time.';
  if (responseCode === null) return 'The mail server could not be reached.';
  const enhanced = parseEnhancedCode(response ?? '');
  const codes = `(SMTP ${responseCode}${enhanced === null ? '' : ` ${enhanced}`})`;
  if (refusal === 'later') return `The mail server did not take the message now ${codes}.`;
  if (refusal === 'recipient')
    return enhanced?.startsWith('5.6.') === true
      ? `The mail server refused the content of the message ${codes}. ${messageAdvice[recipient]}`
      : `The mail server refused the address ${codes}. ${addressAdvice[recipient]}`;
  if (stage === 'auth' || signInCodes.has(responseCode))
    return `The mail server did not let us in ${codes}. Check the user name and password in SMTP_URL.`;
  if (stage === 'mail-from')
    return `The mail server refused our sender ${codes}. Check ${senderSettings[recipient]} and the limits of the mail account.`;
  return isBeforeRecipient(stage)
    ? `The mail server refused our connection ${codes}. Check SMTP_URL, and whether it blocks this host.`
    : `The mail server refused us, not the address ${codes}. Check the mail account’s limits and reputation.`;
}

interface SmtpFacts {
  responseCode: number | null;
  response: string | null;
  command: string;
  /** Nodemailer's code, and Node's that caused it. */
  code: string;
  originalCode: string;
}

function toFacts(error: unknown): SmtpFacts {
  const given: object = typeof error === 'object' && error !== null ? error : {};
  const text = (name: string): string => {
    const value: unknown = Reflect.get(given, name);
    return typeof value === 'string' ? value : '';
  };
  const responseCode: unknown = Reflect.get(given, 'responseCode');
  return {
    responseCode: typeof responseCode === 'number' ? responseCode : null,
    response: text('response') || null,
    command: text('command'),
    code: text('code'),
    originalCode: text('originalCode'),
  };
}
