/** The first and the last character; of a short text the first, and of one character none. */
function masked(text: string): string {
  const characters = text.match(/./gsu) ?? [];
  const [first = '', ...rest] = characters;
  if (characters.length < 2) return '…';
  return rest.length < 3 ? `${first}…` : `${first}…${rest.at(-1) ?? ''}`;
}

/**
 * An email address by which somebody who knows it recognizes it, and nobody else can write to it:
 * `m…y@a…r.example`. For the audit log.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  if (at < 0) return masked(email.trim());
  const host = email.slice(at + 1).trim();
  const dot = host.lastIndexOf('.');
  const name = dot < 0 ? masked(host) : `${masked(host.slice(0, dot))}${host.slice(dot)}`;
  return `${masked(email.slice(0, at).trim())}@${name}`;
}
