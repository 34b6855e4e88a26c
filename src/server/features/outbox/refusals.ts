import type { RefusalClass } from '#shared/admin/deliveries.ts';

/** The step of an SMTP session that was refused. `data` is the command, `end-of-data` the message itself. */
export type SmtpStage =
  'connect' | 'greeting' | 'tls' | 'auth' | 'mail-from' | 'rcpt' | 'data' | 'end-of-data';

export interface SmtpRefusal {
  stage: SmtpStage;
  /** Null: no answer came, such as after a lost connection. */
  code: number | null;
  text: string;
}

/** Whose address and key a request used: the operator's CRM, the same with a provider's key, or an integrator's. */
export type HttpOwner = 'installation' | 'provider' | 'endpoint';

const beforeRecipient: ReadonlySet<SmtpStage> = new Set(['connect', 'greeting', 'tls', 'auth', 'mail-from']);
const ofMessage: ReadonlySet<SmtpStage> = new Set(['data', 'end-of-data']);

/** Whether the refusal came before any recipient was named: it concerns every message of the channel. */
export function isBeforeRecipient(stage: SmtpStage): boolean {
  return beforeRecipient.has(stage);
}

/** The first enhanced status code of an answer (RFC 3463), such as `5.1.1`; null without one. */
export function parseEnhancedCode(text: string): string | null {
  const found = /(?<![\w.])([245]\.\d{1,3}\.\d{1,3})(?![\w.]*\d)/.exec(text);
  return found?.[1] ?? null;
}

/** The recipient's mailbox or domain doesn't exist, or was turned off (RFC 3463, RFC 7505). */
const unreachableCodes: ReadonlySet<string> = new Set([
  '5.1.1',
  '5.1.2',
  '5.1.3',
  '5.1.6',
  '5.1.10',
  '5.2.1',
]);

/** Whether a refusal with this code says that the recipient's address can't be reached, for any message. */
export function marksUnreachable(enhanced: string | null): boolean {
  return enhanced !== null && unreachableCodes.has(enhanced);
}

/** Classes of enhanced codes of RCPT and DATA; the first match counts. Otherwise the basic code and the text decide. */
const enhancedClasses: readonly [code: RegExp, of: RefusalClass][] = [
  [/^4\./, 'later'],
  [/^5\.1\.(?:1|2|3|6|10)$/, 'recipient'],
  [/^5\.2\.1$/, 'recipient'],
  [/^5\.6\./, 'recipient'],
  [/^5\.2\.2$/, 'later'],
  [/^5\.4\.4$/, 'later'],
  [/^5\.1\.[78]$/, 'ours'],
  [/^5\.[3457]\./, 'ours'],
];

/** Basic codes of RCPT that concern the recipient, if their text doesn't say otherwise. */
const recipientCodes: ReadonlySet<number> = new Set([550, 551, 553]);

/** Relay, sender, authentication, policy and blocking, as servers word them. */
const aboutUs =
  /\b(?:relay(?:ing|ed)?|senders?|sending|auth\w*|unauthori[sz]ed|log ?in|credentials|polic(?:y|ies)|block(?:ed|ing|list\w*)?|black-?list\w*|deny-?list\w*|banned|spam\w*|reputation|rbl|dnsbl|spf|dkim|dmarc|ptr|reverse dns|helo|ehlo)\b/i;

/** A text without addresses and links, whose names may contain any word. */
function withoutAddresses(text: string): string {
  return text.replace(/<[^>]*>|\S*@\S*|https?:\/\/\S*/g, ' ');
}

/** Whom an SMTP refusal concerns. Pure. */
export function classifySmtp({ stage, code, text }: SmtpRefusal): RefusalClass {
  if (beforeRecipient.has(stage)) return 'ours';
  if (code === null || code < 500) return 'later';
  const enhanced = parseEnhancedCode(text);
  if (enhanced === '5.7.1' && ofMessage.has(stage)) return 'later';
  const listed = enhancedClasses.find(([pattern]) => enhanced !== null && pattern.test(enhanced));
  if (listed !== undefined) return listed[1];
  const isRecipients = stage === 'rcpt' && recipientCodes.has(code) && !aboutUs.test(withoutAddresses(text));
  return isRecipients ? 'recipient' : 'ours';
}

/** Answers that concern one message: the receiver read it, and won't take it. */
const messageStatuses: ReadonlySet<number> = new Set([400, 413, 422]);
const laterStatuses: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * Whom an HTTP answer that isn't 2xx concerns. An integrator's endpoint has an owner of its own, who is informed when it
 * is turned off: its other 4xx statuses are final, and everything else is retried. Pure.
 */
export function classifyHttp(status: number, owner: HttpOwner): RefusalClass {
  if (messageStatuses.has(status)) return 'recipient';
  if (laterStatuses.has(status) || status >= 500) return 'later';
  if (owner !== 'endpoint') return 'ours';
  return status >= 400 && status !== 409 ? 'recipient' : 'later';
}
