import { createHash, createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';

/** The previous hash of the first seal. */
export const genesisHash = '0'.repeat(64);

/** A place in the chain: the last seal before it. */
export interface ChainEnd {
  seq: number;
  sealHash: string;
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** One spelling per address: IPv4 in IPv6 as IPv4, IPv6 shortened, no zone. Null if it isn't an address. */
export function plainAddress(ip: string): string | null {
  return ipaddr.isValid(ip) ? ipaddr.process(ip.replace(/%.*$/, '')).toString() : null;
}

/** The hash of a seal: covers the previous seal, the sealed row's hash and the time. */
export function sealHash(prevHash: string, rowHash: string, sealedAt: Date): string {
  return sha256(prevHash + rowHash + sealedAt.toISOString());
}

/** Proves that someone with the key made a seal, not someone with access to the database only. */
export function sealHmac(key: Buffer, seal: string): string {
  return createHmac('sha256', key).update(seal).digest('hex');
}
