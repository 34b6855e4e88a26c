import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { checkedLookup, isLoopback, isPublicAddress, PrivateAddressError } from './publicAddress.ts';

export interface GuardedRequest {
  signal: AbortSignal;
  headers?: Record<string, string>;
  /** Connects to one of these, whatever DNS says by now. */
  pinnedTo?: readonly string[];
  /** Anything may be asked: tests do. */
  allowPrivate?: boolean;
  /** So may this machine itself: development does. */
  allowLoopback?: boolean;
  /** A POST of this; else a GET. */
  body?: string;
  /** Where another method than these. */
  method?: 'PATCH';
  /** Connections that were judged when they were made, and may be used again; else the request has one of its own. */
  connections?: KeptConnections;
}

/** How long a connection nobody uses is kept: a name may lead elsewhere by then. */
const keptMs = 4_000;

type KeptConnections = ReturnType<typeof keepConnections>;

/** For one caller who always allows the same addresses. */
export function keepConnections() {
  const options = { keepAlive: true, timeout: keptMs };
  return { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) };
}

/**
 * Sends a request on someone else's behalf: http(s) alone, to public addresses alone, and redirects are the caller's to judge. Resolves with the
 * answer's head; its body is still to be read or destroyed. Throws PrivateAddressError, and whatever the network says.
 */
export function guardedRequest(
  url: URL,
  { signal, headers = {}, pinnedTo, body, connections, ...options }: GuardedRequest,
): Promise<IncomingMessage> {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error('the address is not on the web');
  // Node looks up names only: an address is judged here.
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  const isLiteral = isIP(literal) !== 0;
  if (isLiteral && pinnedTo?.includes(literal) === false)
    throw new PrivateAddressError('the address is not among those to be asked');
  const asked = pinnedTo ?? (isLiteral ? [literal] : []);
  const isAllowed = allowanceOf(options);
  if (!asked.every(isAllowed)) throw new PrivateAddressError('the address is not public');
  const lookup = pinnedTo === undefined ? checkedLookup(isAllowed) : pinnedLookup(pinnedTo);
  const method = options.method ?? (body === undefined ? 'GET' : 'POST');
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const ask = (agent: HttpAgent | false): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const outgoing = send(url, { method, signal, headers, agent, lookup }, resolve);
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // A connection that was kept may be closed by the far side in the moment it is used again.
        if (outgoing.reusedSocket && error.code === 'ECONNRESET') resolve(ask(false));
        else reject(error);
      });
      outgoing.end(body);
    });
  return ask(connections?.[url.protocol] ?? false);
}

function allowanceOf({
  allowPrivate = false,
  allowLoopback = false,
}: Pick<GuardedRequest, 'allowPrivate' | 'allowLoopback'>): (address: string) => boolean {
  return (address) => allowPrivate || isPublicAddress(address) || (allowLoopback && isLoopback(address));
}

/** A `lookup` for node:http that hands out these addresses for any name. */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (hostname, options, callback) => {
    const [first] = found;
    if (first === undefined) return callback(new Error(`${hostname} has no address`), '');
    return options.all === true ? callback(null, found) : callback(null, first.address, first.family);
  };
}
