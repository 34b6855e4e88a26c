import { createTransport } from 'nodemailer';
import type { DeliveryResult } from '../outbox/types.ts';
import { type MailAddress, type Mailer, type Message, mailOptions, messageIdOf } from './message.ts';

/** Kept short: a delivery has fifteen seconds in all. */
const connectTimeoutMs = 8_000;
const silenceTimeoutMs = 12_000;
/** Before most servers close a connection that is silent: a message is not begun on one that is about to go. */
const idleMs = 30_000;

interface SmtpOptions {
  /** `smtp(s)://user:password@host:port`, with nodemailer's options as its query: `?requireTLS=true`. */
  url: string;
  /** Nothing is said to a server before TLS, were it to offer none or somebody between to hide that it does. What the address says of `requireTLS` counts more. */
  requiresTls?: boolean;
  from: MailAddress;
  now: () => Date;
}

/** Sends by SMTP over a few connections that are kept. One call is one try: nothing is sent again by itself. */
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

/** Where in the dialogue the server judges the message itself; before that it judges us, which the operator can put right. */
const aboutMessage = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);
/** Signing in is missing or was refused (RFC 4954), the connection isn't secure enough, the session is out of order: not the message's fault. */
const aboutUs = new Set([503, 530, 534, 535, 538]);

/** What a failed try means. A refusal of the message itself (5xx, RFC 5321 section 4.2.1) is final; whatever else may go well next time. */
function smtpFailure(error: unknown): DeliveryResult {
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

/** How Node names what is wrong with a certificate, or with TLS. */
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
  /** Of SMTP, that was answered. */
  command: string;
  /** Nodemailer's, and Node's beneath it. */
  code: string;
  originalCode: string;
}

/** What nodemailer's errors carry. */
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
