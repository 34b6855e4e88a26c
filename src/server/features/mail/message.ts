import type { SendMailOptions } from 'nodemailer';
import type { DrawnMail } from '#shared/mail/mail.ts';
import type { DeliveryResult } from '../outbox/types.ts';

/** A sender, a recipient or the address for replies. */
export interface MailAddress {
  name: string;
  address: string;
}

/** One message to one person. */
export interface Message {
  /** The delivery's id: all its attempts have the same Message-ID, so that recipients recognize a repeat. */
  id: string;
  to: MailAddress;
  replyTo: MailAddress;
  drawn: DrawnMail;
  /** Where a mail program posts an unsubscription (RFC 8058); null for a message that has no subscriber. */
  unsubscribeUrl: string | null;
}

/** Sends messages. */
export interface Mailer {
  /** Null: messages are sent. Otherwise why they are held. */
  heldReason: () => string | null;
  /** Makes one attempt. A failure is a result, not an error. */
  send: (message: Message, signal?: AbortSignal) => Promise<DeliveryResult>;
  /** Ends idle connections. */
  close: () => void;
}

/** `<delivery id@domain of the sender>`. */
export function messageIdOf(id: string, from: MailAddress): string {
  return `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`;
}

/**
 * The message for nodemailer. Names and addresses are separate fields, never one text, so that neither can add a
 * recipient or a header.
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
    // Prevents out-of-office replies (RFC 3834).
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl === null ? {} : { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
    ...(unsubscribeUrl === null ? {} : { list: { unsubscribe: unsubscribeUrl } }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
