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
 * Services of a cloud's own network at addresses of the public internet: Azure's host, and the resolvers, mirrors and
 * service endpoints of IBM Cloud. Others have link-local, shared or reserved addresses.
 */
const platformRanges = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'].map((range) =>
  ipaddr.IPv4.parseCIDR(range),
);

/**
 * True for addresses of the public internet: not private, loopback, link-local (cloud metadata), reserved, multicast,
 * a cloud platform's own, or mapped ones of these.
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
