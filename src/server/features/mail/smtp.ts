import { createTransport } from 'nodemailer';
import type { DeliveryResult } from '../outbox/types.ts';
import { type MailAddress, type Mailer, type Message, mailOptions, messageIdOf } from './message.ts';

/** Short: an attempt has fifteen seconds. */
const connectTimeoutMs = 8_000;
const silenceTimeoutMs = 12_000;
/** Shorter than most servers' idle timeout, so that no message starts on a connection that is about to close. */
const idleMs = 30_000;

interface SmtpOptions {
  /** `smtp(s)://user:password@host:port`, with nodemailer's options as its query: `?requireTLS=true`. */
  url: string;
  /**
   * Sends nothing before TLS, even if the server offers none or an attacker hides its offer. `requireTLS` in the URL
   * overrides this.
   */
  requiresTls?: boolean;
  from: MailAddress;
  now: () => Date;
}

/** Sends by SMTP over a pool of a few connections. One call is one attempt: nothing is retried here. */
export function createSmtp({ url, requiresTls = false, from, now }: SmtpOptions): Mailer {
  const transport = createTransport({
    url,
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
      try {
        const sent = await transport.sendMail({
          ...mailOptions(message, from, now()),
          ...(signal === undefined ? {} : { signal }),
        });
        return {
          outcome: 'delivered',
          status: `SMTP ${sent.response.slice(0, 3)}`,
          answer: sent.response,
          remoteId: messageIdOf(message.id, from),
        };
      } catch (error) {
        return smtpFailure(error);
      }
    },
  };
}

/**
 * Commands whose refusal is about the message. Earlier refusals are about us, and the operator can correct the
 * configuration.
 */
const aboutMessage = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);
/**
 * Authentication is missing or was refused (RFC 4954), the connection isn't secure enough, or the session is out of
 * order: not about the message.
 */
const aboutUs = new Set([503, 530, 534, 535, 538]);

/**
 * The result of a failed attempt. A refusal of the message itself (5xx, RFC 5321 section 4.2.1) is permanent; any other
 * failure is temporary.
 */
export function smtpFailure(error: unknown): DeliveryResult {
  const facts = factsOf(error);
  const { responseCode, response, code } = facts;
  const permanent = responseCode === null ? code === 'EENVELOPE' : isFinal(responseCode, facts);
  return {
    outcome: 'failed',
    permanent,
    status: responseCode === null ? null : `SMTP ${responseCode}`,
    answer: response,
    reason: failureSentence(permanent, facts),
  };
}

function isFinal(responseCode: number, { command }: SmtpFacts): boolean {
  return responseCode >= 500 && aboutMessage.has(command) && !aboutUs.has(responseCode);
}

/** Node's error codes for problems with certificates or TLS. */
const secureFaults = /CERT|TLS|SSL|SIGNATURE/;

function failureSentence(permanent: boolean, { responseCode, code, originalCode }: SmtpFacts): string {
  if (code === 'EENVELOPE' && responseCode === null) return 'The address is none that mail can be sent to.';
  if (code === 'ETLS' || secureFaults.test(originalCode))
    return 'No secure connection to the mail server could be made.';
  if (code === 'ETIMEDOUT' || code === 'EABORT') return 'The mail server did not answer in time.';
  if (responseCode === null) return 'The mail server could not be reached.';
  if (permanent) return `The mail server refused the message (SMTP ${responseCode}).`;
  return aboutUs.has(responseCode)
    ? `The mail server did not let us in (SMTP ${responseCode}).`
    : `The mail server did not take the message now (SMTP ${responseCode}).`;
}

interface SmtpFacts {
  responseCode: number | null;
  response: string | null;
  /** The SMTP command that was answered. */
  command: string;
  /** Nodemailer's code, and Node's that caused it. */
  code: string;
  originalCode: string;
}

/** The fields of nodemailer's errors. */
function factsOf(error: unknown): SmtpFacts {
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
