import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import { TLSSocket } from 'node:tls';
import ipaddr from 'ipaddr.js';

/** The client, as far as the configured proxies can be trusted. */
export interface Client {
  /** An IPv4 or IPv6 address for Postgres' `inet`: no port, no zone, IPv4-mapped addresses as IPv4. */
  ip: string;
  protocol: 'http' | 'https';
  /** The requested host with its port, as in the request. tenantMiddleware checks it. */
  host: string;
}

/** The unspecified address, for a socket that is already closed. */
const unknownAddress = '0.0.0.0';

function plainAddress(text: string): string | null {
  // The common case. Node writes it in no other way.
  if (isIPv4(text)) return text;
  const address = text.replace(/%.*$/, '');
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return null;
  return ipaddr.process(address).toString();
}

/** Some proxies add the port: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  return (
    /^([0-9.]+):[0-9]{1,5}$/.exec(entry)?.[1] ?? /^\[([^\]]*)\](?::[0-9]{1,5})?$/.exec(entry)?.[1] ?? entry
  );
}

/**
 * The outermost trusted proxy's entry in a forwarding header: number `trustedProxies` from the right, since each proxy
 * appends and earlier entries come from outside. Null if no proxy is trusted or there are too few entries.
 */
export function forwardedEntry(header: string | string[] | undefined, trustedProxies: number): string | null {
  if (trustedProxies === 0 || header === undefined) return null;
  const entries = (Array.isArray(header) ? header.join(',') : header).split(',');
  return entries.at(-trustedProxies)?.trim() || null;
}

/** The socket's address, or X-Forwarded-For's behind `trustedProxies` proxies. Ignores a malformed entry. */
export function clientAddress(req: IncomingMessage, trustedProxies: number): string {
  const forwarded = forwardedEntry(req.headers['x-forwarded-for'], trustedProxies);
  const fromProxy = forwarded === null ? null : plainAddress(withoutPort(forwarded));
  return fromProxy ?? plainAddress(req.socket.remoteAddress ?? '') ?? unknownAddress;
}

/**
 * The client's scheme: the socket's, or X-Forwarded-Proto's behind trusted proxies. Most proxies replace that header
 * instead of appending to it, so a single value counts behind any number of them.
 */
export function clientProtocol(req: IncomingMessage, trustedProxies: number): 'http' | 'https' {
  const header = req.headers['x-forwarded-proto'];
  const entry = forwardedEntry(header, trustedProxies) ?? forwardedEntry(header, Math.min(trustedProxies, 1));
  const forwarded = entry?.toLowerCase();
  if (forwarded === 'https' || forwarded === 'http') return forwarded;
  return req.socket instanceof TLSSocket ? 'https' : 'http';
}
