import type { SendMailOptions } from 'nodemailer';
import type { DrawnMail } from '#shared/mail/mail.ts';
import type { DeliveryResult } from '../outbox/types.ts';

/** Somebody a message is from or answered to. */
export interface MailAddress {
  name: string;
  address: string;
}

/** One message to one person. */
export interface Message {
  /** The delivery's: every try of it carries the same Message-ID, so that a repeat is known for one. */
  id: string;
  to: MailAddress;
  replyTo: MailAddress;
  drawn: DrawnMail;
  /** Where a mail program may post an unsubscription (RFC 8058); null for what nobody subscribed to. */
  unsubscribeUrl: string | null;
}

/** The way out for messages. */
export interface Mailer {
  /** Null: messages go out; else why they wait. */
  heldReason: () => string | null;
  /** One try. A failure is a result, not an error. */
  send: (message: Message, signal?: AbortSignal) => Promise<DeliveryResult>;
  /** Ends idle connections. */
  close: () => void;
}

/** `<delivery id@domain of the sender>`. */
export function messageIdOf(id: string, from: MailAddress): string {
  return `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`;
}

/**
 * The message as nodemailer takes it. Names and addresses are given as such, never as one text, so that none can add a recipient or a header.
 */
export function mailOptions(message: Message, from: MailAddress, now: Date): SendMailOptions {
  const { id, to, replyTo, drawn, unsubscribeUrl } = message;
  return {
    from,
    to,
    replyTo,
    subject: drawn.subject,
    html: drawn.html,
    text: drawn.text,
    date: now,
    messageId: messageIdOf(id, from),
    // No out-of-office notes in answer to it (RFC 3834).
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl === null ? {} : { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
    ...(unsubscribeUrl === null ? {} : { list: { unsubscribe: unsubscribeUrl } }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
