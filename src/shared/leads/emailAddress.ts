const addressPattern = /^[^\s@<>()[\]\\,;:"]+@(?:[^\s@<>()[\]\\,;:".]+\.)+[^\s@<>()[\]\\,;:".]{2,}$/;
/** Format characters and others that are never displayed. Two addresses that differ only in them look the same. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
const asciiDomainPattern = /^(?:[a-z0-9_-]+\.)+[a-z0-9_-]{2,}$/;

/** The domain in its ASCII form (UTS #46), which is what mail servers look up. Null if it has none. */
function asciiDomain(domain: string): string | null {
  // A URL parser ends the host at the first three, and decodes what follows the last.
  if (/[/?#%]/.test(domain)) return null;
  const url = `http://${domain}`;
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return asciiDomainPattern.test(host) ? host : null;
}

function domainOf(address: string): string | null {
  return asciiDomain(address.slice(address.lastIndexOf('@') + 1));
}

/** Whether the text is an email address with a domain that mail servers can look up. */
export function isEmailAddress(text: string): boolean {
  return addressPattern.test(text) && !invisible.test(text) && domainOf(text) !== null;
}

/**
 * An email address as identities are compared: the local part in lower case, the domain in its ASCII form. Every
 * spelling of a domain yields the same result. Text that isn't an email address is returned in lower case.
 */
export function normalizedEmail(address: string): string {
  const local = address.slice(0, address.lastIndexOf('@')).toLowerCase();
  const domain = domainOf(address);
  return domain === null ? address.toLowerCase() : `${local}@${domain}`;
}
