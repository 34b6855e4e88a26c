/** Mailboxes that most visitors have, the most common first. */
const mailboxDomains = (
  'gmail.com yahoo.com hotmail.com outlook.com icloud.com aol.com comcast.net verizon.net att.net sbcglobal.net ' +
  'bellsouth.net charter.net cox.net msn.com live.com me.com mac.com ymail.com rocketmail.com protonmail.com ' +
  'proton.me googlemail.com earthlink.net optonline.net frontier.com windstream.net roadrunner.com fastmail.com ' +
  'gmx.com mail.com zoho.com juno.com aim.com'
).split(' ');

/** Mailboxes that differ from one of these by one character. Nobody has one at gmail.co, yahoo.co or gmail.cm. */
const otherDomains = new Set(['email.com']);

/** Endings that don't exist, and what was meant. */
const endings: [RegExp, string][] = [
  [/\.(?:con|cmo|ocm|vom|xom|cim|cpm|clm|coom|comm|conm|c0m)$/, '.com'],
  [/\.(?:nte|ent|nett|met)$/, '.net'],
  [/\.(?:ogr|rog|orgg)$/, '.org'],
];

/** Names this short differ from many real ones by one character. */
const nameLengthMin = 5;

/** The address that was probably meant. Null for one that may well be right: then nobody is asked. */
export function suggestEmail(typed: string): string | null {
  const at = typed.lastIndexOf('@');
  const local = typed.slice(0, Math.max(0, at)).trim();
  const domain = typed
    .slice(at + 1)
    .trim()
    .toLowerCase();
  if (local === '' || domain === '' || mailboxDomains.includes(domain) || otherDomains.has(domain))
    return null;
  const [ending, meant = ''] = endings.find(([pattern]) => pattern.test(domain)) ?? [];
  const ended = ending === undefined ? domain : domain.replace(ending, meant);
  const near = mailboxDomains.find((mailbox) => mailbox === ended || isSlipOf(ended, mailbox));
  const suggested = near ?? ended;
  return suggested === domain ? null : `${local}@${suggested}`;
}

/** Whether a domain is a mailbox's with one character more, less, other or swapped, or without its ending. */
function isSlipOf(domain: string, mailbox: string): boolean {
  const [name = ''] = mailbox.split('.');
  return name.length >= nameLengthMin && (domain === name || isOneEdit(domain, mailbox));
}

function isOneEdit(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  const start = Array.from(short).findIndex((character, index) => character !== long[index]);
  const [restOfShort, restOfLong] =
    start === -1 ? ['', long.slice(short.length)] : [short.slice(start), long.slice(start)];
  if (restOfLong.length === restOfShort.length + 1) return restOfLong.slice(1) === restOfShort;
  if (restOfLong.length !== restOfShort.length) return false;
  const isSwapped = restOfShort[0] === restOfLong[1] && restOfShort[1] === restOfLong[0];
  return (
    restOfShort.slice(1) === restOfLong.slice(1) ||
    (isSwapped && restOfShort.slice(2) === restOfLong.slice(2))
  );
}
