import { createHash, createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';

/** The chain's first link. */
export const genesisHash = '0'.repeat(64);

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** One spelling per address: IPv4 inside IPv6 as IPv4, IPv6 shortened, no zone. Null when it isn't an address. */
export function plainAddress(ip: string): string | null {
  return ipaddr.isValid(ip) ? ipaddr.process(ip.replace(/%.*$/, '')).toString() : null;
}

/** A link: the hash of the one before it, of the row it seals, and of when that was. */
export function sealHash(prevHash: string, rowHash: string, sealedAt: Date): string {
  return sha256(prevHash + rowHash + sealedAt.toISOString());
}

/** What proves that a seal was made by someone with the key, not by someone who only has the database. */
export function sealHmac(key: Buffer, seal: string): string {
  return createHmac('sha256', key).update(seal).digest('hex');
}
