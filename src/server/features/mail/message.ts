import type { SendMailOptions } from 'nodemailer';
import type { RenderedMail } from '#shared/mail/mail.ts';
import type { DeliveryResult } from '../outbox/types.ts';

/** A sender, a recipient or the address for replies. */
export interface MailAddress {
  name: string;
  address: string;
}

/** Whom a message about a lead is for, which decides what staff can do about a refusal. */
export type MailRecipient = 'person' | 'provider';

export interface Message {
  /** Left out: it is about no lead. */
  recipient?: MailRecipient;
  /** Without a lead's or an applicant's contact and links to accounts: the folder of unsent mail keeps it for a week. */
  hasNoContact?: boolean;
  /** Of `buildEmailId`: the left part of the Message-ID. */
  id: string;
  /** Left out: the mailer's own sender (`MAIL_FROM`). */
  from?: MailAddress;
  to: MailAddress;
  replyTo: MailAddress | MailAddress[];
  rendered: RenderedMail;
  /** Where a mail program posts an unsubscription (RFC 8058); null for a message that has no subscriber. */
  unsubscribeUrl: string | null;
}

export interface Mailer {
  /** Null: messages are sent. Otherwise why they are held. */
  heldReason: () => string | null;
  /** Makes one attempt. A failure is a result, not an error. */
  send: (message: Message, signal?: AbortSignal) => Promise<DeliveryResult>;
  /** Ends idle connections. */
  close: () => void;
}

/** The delivery's id, so that recipients recognize a repeat. It changes after a bounce, or servers drop it. */
export function buildEmailId({ id, bounces }: EmailId): string {
  return bounces === 0 ? id : `${id}.${bounces}`;
}

interface EmailId {
  /** The delivery's. */
  id: string;
  /** How many of its emails had bounced before this one. */
  bounces: number;
}

const messageIdPattern = /^<?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:\.([1-9]\d{0,5}))?@[^<>\s]+>?$/i;

/** The email that a Message-ID of ours names; null for any other text. */
export function readMessageId(text: string): EmailId | null {
  const [, id, bounces = '0'] = messageIdPattern.exec(text.trim()) ?? [];
  return id === undefined ? null : { id: id.toLowerCase(), bounces: Number(bounces) };
}

/** `<email id@domain of the sender>`. */
export function buildMessageId(id: string, from: MailAddress): string {
  return `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`;
}

/** The message for nodemailer, names apart from addresses, so that neither can add a recipient or a header. */
export function mailOptions(message: Message, sender: MailAddress, now: Date): SendMailOptions {
  const { id, from = sender, to, replyTo, rendered, unsubscribeUrl } = message;
  return {
    from,
    to,
    replyTo,
    subject: rendered.subject,
    html: rendered.html,
    text: rendered.text,
    date: now,
    messageId: buildMessageId(id, from),
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
