import { createHash, createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { buildRecord, listKeys } from '#shared/formats/records.ts';
import type { ConsentRecordRow } from '#server/db/schema/index.ts';

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

/** What a record's hash covers: every column except its id, which the database assigns, and the hash itself. */
export type ConsentFacts = Omit<ConsentRecordRow, 'id' | 'rowHash'>;

/** The hash version of new records. */
export const hashVersion = 4;

const namesOfVersion1 = [
  ...[
    'acceptedAt',
    'channels',
    'checked',
    'email',
    'firstName',
    'formKey',
    'formSha256',
    'gpc',
    'host',
    'ip',
  ],
  ...['lastName', 'leadId', 'msFromRender', 'pageUrl', 'phone', 'referrerHost', 'retainUntil', 'sellerName'],
  ...[
    'sellerProviderId',
    'textId',
    'textKnown',
    'textSha256',
    'textShown',
    'textVersion',
    'userAgent',
    'uuid',
  ],
] as const;
const namesOfVersion2 = [
  ...namesOfVersion1,
  ...['fetchSite', 'hashVersion', 'leadPublicId', 'origin'],
] as const;
const namesOfVersion3 = [
  ...namesOfVersion2,
  ...['clientClock', 'formVersion', 'prechecked', 'purpose'],
] as const;
const namesOfVersion4 = [...namesOfVersion3, 'answers'] as const;
type EvidenceName = (typeof namesOfVersion4)[number];

/**
 * The names that enter a record's hash, by hash version, in the order in which they are hashed. They are frozen: stored
 * hashes depend on them. Renaming a column or a property never changes this list, it changes `readValue` below.
 */
export const evidenceNames = {
  1: namesOfVersion1.toSorted(),
  2: namesOfVersion2.toSorted(),
  3: namesOfVersion3.toSorted(),
  4: namesOfVersion4.toSorted(),
};

/** How each name is read from a row. As JSON, instants are ISO 8601 in UTC to the millisecond; addresses have one spelling. */
function readValue(row: ConsentFacts, name: EvidenceName): ConsentFacts[EvidenceName] {
  return name === 'ip' ? (plainAddress(row.ip) ?? row.ip) : row[name];
}

/**
 * SHA-256 of the row as canonical JSON: its hash version's names in order, null for a missing value; the same after
 * reading back. An unknown version is hashed as the newest, so it is detected: the version is part of the hash.
 */
export function consentRowHash(row: ConsentFacts): string {
  const namesOfVersion: Partial<Record<number, readonly EvidenceName[]>> = evidenceNames;
  const names = namesOfVersion[row.hashVersion] ?? evidenceNames[hashVersion];
  return sha256(JSON.stringify(buildRecord(names, (name) => readValue(row, name))));
}

/**
 * The names by which an erasure keeps hashes of personal values, with their properties. Frozen: each is part of its
 * hash. They happen to be today's column names, which the trigger `allow_consent_erasure` relies on.
 */
export const personalProperties = {
  first_name: 'firstName',
  last_name: 'lastName',
  email: 'email',
  phone: 'phone',
  ip: 'ip',
  user_agent: 'userAgent',
  page_url: 'pageUrl',
  referrer_host: 'referrerHost',
  origin: 'origin',
  text_shown: 'textShown',
  answers: 'answers',
} as const satisfies Record<string, keyof ConsentFacts>;
export type PersonalName = keyof typeof personalProperties;
export const personalNames = listKeys(personalProperties);
