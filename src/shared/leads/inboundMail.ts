import { z } from 'zod';

/** At most this many addresses of a message are looked at. */
const recipientsMax = 50;
const address = z.string().max(1_000);

/** A message that arrived at `INBOUND_MAIL_ADDRESS`, as the receiving mail system posts it. */
const inboundReply = z.object({
  type: z.literal('reply').default('reply').meta({ description: 'A message from a person' }),
  to: z
    .union([address.transform((one) => [one]), z.array(address).max(recipientsMax)])
    .meta({ description: 'The recipients, above all the one with the token' }),
  from: address.meta({ description: 'The sender’s address. Anybody can claim one, so it proves nothing' }),
  subject: z.string().max(2_000).default('').meta({ description: 'The subject' }),
  text: z.string().default('').meta({ description: 'The text part, quotes included' }),
});
export type InboundReply = z.output<typeof inboundReply>;

/** What a mail service reports about an email of ours. */
const mailEvent = z.object({
  /** `complaint`: the recipient reported the email as spam. */
  type: z.enum(['bounce', 'complaint']),
  /** Of the email that bounced, as we set it. */
  message_id: z.string().max(1_000),
  /** The address that it went to. */
  recipient: address,
  /** Whether the address will not accept mail later either. Without it, the code in `reason` decides. */
  permanent: z.boolean().optional(),
  /** The mail server's answer, for staff. */
  reason: z.string().default(''),
});
export type MailEvent = z.output<typeof mailEvent>;

export const inboundMail = z.union([inboundReply, mailEvent]);

export const inboundOutput = z.object({ success: z.literal(true) });

/** Words that withdraw at the beginning of a reply. */
const stopStart = /^(?:stop|unsubscribe)\b/i;
/** Words that withdraw only on a line of their own: sentences begin with them too. */
const stopLine = /^(?:cancel|end|quit)\W*$/i;

/** Whether a reply asks us to stop: the first line that is neither empty nor quoted begins with such a word. */
export function asksToStop(text: string): boolean {
  const first = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .find((line) => line !== '' && !line.startsWith('>'));
  return first !== undefined && (stopStart.test(first) || stopLine.test(first));
}
