import { domainToASCII } from 'node:url';
import ipaddr from 'ipaddr.js';
import type { HostMatch } from './site.ts';

const invalid: HostMatch = { kind: 'invalid' };

/** Which hosts are the main site's: outside production, loopback names too. */
export interface MainHosts {
  mainDomains: readonly string[];
  production: boolean;
}

/** Loopback names only, to ask whether a host is one. */
export const loopbackHosts: MainHosts = { mainDomains: [], production: false };

/** DNS: a name is at most 253 characters and a label at most 63 (RFC 1035 §2.3.4). */
const nameLengthMax = 253;
/** Labels separated by dots (RFC 1123 §2.1, so no underscore). Captures the last. */
const namePattern = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)$/;

/** The longest valid header: a name, its trailing dot and a port. */
const headerLengthMax = nameLengthMax + '.:65535'.length;

/**
 * Classifies a Host header by string rules only: lower case, without port, one trailing dot and a leading `www.`, IDN
 * in its ASCII form, IPv6 in brackets. Loopback names belong to the main site in development only: in production, a
 * client could pass a proxy's rule for the main site with them. A text that is not `host` or `host:port` is invalid (RFC
 * 9110 §7.2) and not repaired: a proxy, a cache and this process must read the same host from one header.
 */
export function parseHost(hostHeader: string | undefined, { mainDomains, production }: MainHosts): HostMatch {
  if (hostHeader === undefined || hostHeader === '' || hostHeader.length > headerLengthMax) return invalid;
  const host = hostHeader.startsWith('[') ? bracketedHost(hostHeader) : namedHost(hostHeader);
  if (host === null) return invalid;
  return mainDomains.includes(host) || (!production && isLoopbackHost(host))
    ? { kind: 'main', host }
    : { kind: 'other', host };
}

function isPort(text: string): boolean {
  return /^[0-9]{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

/** `[2001:DB8::1]:3000` → `[2001:db8::1]`; an IPv4-mapped address becomes plain IPv4. */
function bracketedHost(text: string): string | null {
  const [, address = '', port] = /^\[([0-9a-f:.]+)\](?::(.*))?$/is.exec(text) ?? [];
  if (!ipaddr.IPv6.isValid(address) || (port !== undefined && !isPort(port))) return null;
  const plain = ipaddr.process(address);
  return plain.kind() === 'ipv4' ? plain.toString() : `[${plain.toString()}]`;
}

function namedHost(text: string): string | null {
  const colon = text.indexOf(':');
  if (colon !== -1 && !isPort(text.slice(colon + 1))) return null;
  const typed = colon === -1 ? text : text.slice(0, colon);
  // Checked before IDN mapping, which drops some characters and percent-decodes others.
  if (!/^[\p{L}\p{M}\p{N}\p{S}.\-\u3002\uff0e\uff61]+$/u.test(typed)) return null;
  const ascii = /^[\x21-\x7e]*$/.test(typed) ? typed.toLowerCase() : domainToASCII(typed);
  const undotted = ascii.endsWith('.') ? ascii.slice(0, -1) : ascii;
  const host = undotted.startsWith('www.') ? undotted.slice(4) : undotted;
  return isName(host) ? host : null;
}

function isName(host: string): boolean {
  const [, lastLabel] = host.length > nameLengthMax ? [] : (namePattern.exec(host) ?? []);
  if (lastLabel === undefined) return false;
  // A last label that is a number makes it an IPv4 address or invalid (WHATWG URL, "ends in a number"): no 127.1, no
  // 0x7f000001.
  return !/^(?:[0-9]+|0x[0-9a-f]*)$/.test(lastLabel) || ipaddr.IPv4.isValidFourPartDecimal(host);
}

/** localhost, 127.0.0.0/8 and ::1. Names below localhost (`clinic.localhost`) are providers in development. */
export function isLoopbackHost(host: string): boolean {
  if (host === 'localhost' || host === '[::1]') return true;
  return host.startsWith('127.') && ipaddr.IPv4.isValidFourPartDecimal(host);
}
