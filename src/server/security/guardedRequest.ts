import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { traceHeaders } from '../log.ts';
import { lookup as resolveName } from 'node:dns';
import ipaddr from 'ipaddr.js';

export interface GuardedRequest {
  signal: AbortSignal;
  headers?: Record<string, string>;
  /** Connects to one of these addresses, whatever DNS returns. */
  pinnedTo?: readonly string[];
  /** Allows private addresses, for tests. */
  allowPrivate?: boolean;
  /** Allows this machine, for development. */
  allowLoopback?: boolean;
  /** The body of a POST. Without it, a GET is sent. */
  body?: string;
  /** Another method than these. */
  method?: 'PATCH';
  /** Connections that may be reused, checked when they were opened. Without them, the request opens its own. */
  connections?: KeptConnections;
}

/** How long an idle connection is kept. Later, the name may resolve to another address. */
const keptMs = 4_000;

type KeptConnections = ReturnType<typeof keepConnections>;

/** Connections of one caller, who always allows the same addresses. */
export function keepConnections() {
  const options = { keepAlive: true, timeout: keptMs };
  return { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) };
}

/**
 * Requests a URL that others provided: http(s) and public addresses only, with the current trace. Redirects are the
 * caller's, who must also read or destroy the body. Throws PrivateAddressError and network errors.
 */
export function guardedRequest(
  url: URL,
  { signal, headers = {}, pinnedTo, body, connections, ...options }: GuardedRequest,
): Promise<IncomingMessage> {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new Error('only http and https URLs are allowed');
  // Node looks up names only, so a literal address is checked here.
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  const isLiteral = isIP(literal) !== 0;
  if (isLiteral && pinnedTo?.includes(literal) === false)
    throw new PrivateAddressError('the address is not among those to be asked');
  const asked = pinnedTo ?? (isLiteral ? [literal] : []);
  const isAllowed = getAllowance(options);
  if (!asked.every(isAllowed)) throw new PrivateAddressError('the address is not public');
  const lookup = pinnedTo === undefined ? checkedLookup(isAllowed) : pinnedLookup(pinnedTo);
  const method = options.method ?? (body === undefined ? 'GET' : 'POST');
  const trace = traceHeaders();
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const ask = (agent: HttpAgent | false): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const outgoing = send(
        url,
        { method, signal, headers: { ...trace, ...headers }, agent, lookup },
        resolve,
      );
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // The server may close a kept connection while the next request is being sent.
        if (outgoing.reusedSocket && error.code === 'ECONNRESET') resolve(ask(false));
        else reject(error);
      });
      outgoing.end(body);
    });
  return ask(connections?.[url.protocol] ?? false);
}

function getAllowance({
  allowPrivate = false,
  allowLoopback = false,
}: Pick<GuardedRequest, 'allowPrivate' | 'allowLoopback'>): (address: string) => boolean {
  return (address) => allowPrivate || isPublicAddress(address) || (allowLoopback && isLoopback(address));
}

/** A `lookup` for node:http that returns these addresses for any name. */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (hostname, options, callback) => {
    const [first] = found;
    if (first === undefined) return callback(new Error(`${hostname} has no address`), '');
    return options.all === true ? callback(null, found) : callback(null, first.address, first.family);
  };
}

/** An address that a request to others' URLs must not reach (server-side request forgery). */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

/** IPv6 of the public internet (RFC 4291 section 2.4, IANA); the rest includes `::127.0.0.1`. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Services of a cloud's own network at addresses of the public internet: Azure's host, and the resolvers, mirrors and
 * service endpoints of IBM Cloud. Others have link-local, shared or reserved addresses.
 */
const platformRanges = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'].map((range) =>
  ipaddr.IPv4.parseCIDR(range),
);

/**
 * Whether it is public: not private, loopback, link-local (cloud metadata), reserved, multicast, a cloud's, or mapped.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const plain = ipaddr.process(address);
  if (plain.range() !== 'unicast') return false;
  return plain instanceof ipaddr.IPv4
    ? !platformRanges.some((range) => plain.match(range))
    : plain.match(globalUnicast);
}

/** This machine. */
export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/**
 * A `lookup` for node:http that returns allowed addresses only. The socket connects to the checked address, which
 * prevents DNS rebinding. Node calls it for names only: check literal addresses before the request.
 */
function checkedLookup(isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      const first = addresses?.[0];
      if (error !== null || first === undefined)
        return callback(error ?? new PrivateAddressError(`${hostname} has no address`), '');
      if (!addresses.every(({ address }) => isAllowed(address)))
        return callback(new PrivateAddressError(`${hostname} resolves to an address that is not public`), '');
      return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}
