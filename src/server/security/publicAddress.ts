import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address that a request to others' URLs must not reach (server-side request forgery). */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

/**
 * The part of IPv6 that is assigned to the public internet (RFC 4291 section 2.4, IANA); the rest includes
 * `::127.0.0.1`.
 */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * True for addresses of the public internet: not private, loopback, link-local (cloud metadata), reserved, multicast or
 * mapped ones of these.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const plain = ipaddr.process(address);
  return plain.range() === 'unicast' && (plain instanceof ipaddr.IPv4 || plain.match(globalUnicast));
}

/** This machine. */
export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/**
 * A `lookup` for node:http that returns allowed addresses only. The socket connects to exactly the checked address, so
 * a name that changes its address between check and use (DNS rebinding) gains nothing. Node calls it for names only:
 * check literal addresses before the request.
 */
export function checkedLookup(isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const first = addresses?.[0];
      if (error !== null || first === undefined)
        return callback(error ?? new PrivateAddressError(`${hostname} has no address`), '');
      if (!addresses.every(({ address }) => isAllowed(address)))
        return callback(new PrivateAddressError(`${hostname} resolves to an address that is not public`), '');
      return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}
