import { createHash, createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { ConsentRecordRow } from '../../db/schema/index.ts';

/** What a row's hash covers: every column but its id, which the database gives, and the hash itself. */
export type ConsentFacts = Omit<ConsentRecordRow, 'id' | 'rowHash'>;

/** The list of fields that new records are hashed by. Version 1 had no `hashVersion`, `leadPublicId`, `origin` and `fetchSite`. */
export const hashVersion = 2;
const addedInVersion2 = ['hashVersion', 'leadPublicId', 'origin', 'fetchSite'] as const;

/** The chain's first link. */
export const genesisHash = '0'.repeat(64);

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** One spelling an address, whoever wrote it: IPv4 inside IPv6 as IPv4, IPv6 shortened, no zone. Null when it isn't an address. */
export function plainAddress(ip: string): string | null {
  return ipaddr.isValid(ip) ? ipaddr.process(ip.replace(/%.*$/, '')).toString() : null;
}

/**
 * sha256 of the row as canonical JSON: names sorted, instants as ISO 8601 in UTC to the millisecond, addresses in one spelling, null for
 * what is missing. `hashVersion` of the row decides which fields are in it. The same before the insert and after reading back; the list is explicit so that a column can't drop out unseen.
 */
export function consentRowHash(row: ConsentFacts): string {
  const facts: Record<keyof ConsentFacts, string | number | boolean | string[] | null> = {
    uuid: row.uuid,
    leadId: row.leadId,
    formKey: row.formKey,
    textId: row.textId,
    textVersion: row.textVersion,
    textShown: row.textShown,
    textSha256: row.textSha256,
    textKnown: row.textKnown,
    checked: row.checked,
    channels: row.channels,
    sellerProviderId: row.sellerProviderId,
    sellerName: row.sellerName,
    firstName: row.firstName,
    lastName: row.lastName,
    email: row.email,
    phone: row.phone,
    acceptedAt: row.acceptedAt.toISOString(),
    ip: plainAddress(row.ip) ?? row.ip,
    userAgent: row.userAgent,
    pageUrl: row.pageUrl,
    host: row.host,
    referrerHost: row.referrerHost,
    formSha256: row.formSha256,
    msFromRender: row.msFromRender,
    gpc: row.gpc,
    retainUntil: row.retainUntil.toISOString(),
    hashVersion: row.hashVersion,
    leadPublicId: row.leadPublicId,
    origin: row.origin,
    fetchSite: row.fetchSite,
  };
  const added: readonly string[] = row.hashVersion === 1 ? addedInVersion2 : [];
  const names = Object.keys(facts).filter((name) => !added.includes(name));
  return sha256(JSON.stringify(facts, names.toSorted()));
}

/** A link: the hash of the one before it, of the row it seals, and of when that was. */
export function sealHash(prevHash: string, rowHash: string, sealedAt: Date): string {
  return sha256(prevHash + rowHash + sealedAt.toISOString());
}

/** What proves that a seal was made by someone with the key, not by someone who only has the database. */
export function sealHmac(key: Buffer, seal: string): string {
  return createHmac('sha256', key).update(seal).digest('hex');
}
