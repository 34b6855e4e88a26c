import type { ConsentRecordRow } from '#server/db/schema/index.ts';
import { plainAddress, sha256 } from './consentHash.ts';

/** What a record's hash covers: every column except its id, which the database assigns, and the hash itself. */
export type ConsentFacts = Omit<ConsentRecordRow, 'id' | 'rowHash'>;

/** The hash version of new records. */
export const hashVersion = 4;

/**
 * The names that enter a record's hash, by hash version, in the order in which they are hashed. They are frozen: stored
 * hashes depend on them. Renaming a column or a property never changes this list, it changes `readers` below.
 */
export const evidenceNames = {
  1: [
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
    'lastName',
    'leadId',
    'msFromRender',
    'pageUrl',
    'phone',
    'referrerHost',
    'retainUntil',
    'sellerName',
    'sellerProviderId',
    'textId',
    'textKnown',
    'textSha256',
    'textShown',
    'textVersion',
    'userAgent',
    'uuid',
  ],
  2: [
    'acceptedAt',
    'channels',
    'checked',
    'email',
    'fetchSite',
    'firstName',
    'formKey',
    'formSha256',
    'gpc',
    'hashVersion',
    'host',
    'ip',
    'lastName',
    'leadId',
    'leadPublicId',
    'msFromRender',
    'origin',
    'pageUrl',
    'phone',
    'referrerHost',
    'retainUntil',
    'sellerName',
    'sellerProviderId',
    'textId',
    'textKnown',
    'textSha256',
    'textShown',
    'textVersion',
    'userAgent',
    'uuid',
  ],
  3: [
    'acceptedAt',
    'channels',
    'checked',
    'clientClock',
    'email',
    'fetchSite',
    'firstName',
    'formKey',
    'formSha256',
    'formVersion',
    'gpc',
    'hashVersion',
    'host',
    'ip',
    'lastName',
    'leadId',
    'leadPublicId',
    'msFromRender',
    'origin',
    'pageUrl',
    'phone',
    'prechecked',
    'purpose',
    'referrerHost',
    'retainUntil',
    'sellerName',
    'sellerProviderId',
    'textId',
    'textKnown',
    'textSha256',
    'textShown',
    'textVersion',
    'userAgent',
    'uuid',
  ],
  4: [
    'acceptedAt',
    'answers',
    'channels',
    'checked',
    'clientClock',
    'email',
    'fetchSite',
    'firstName',
    'formKey',
    'formSha256',
    'formVersion',
    'gpc',
    'hashVersion',
    'host',
    'ip',
    'lastName',
    'leadId',
    'leadPublicId',
    'msFromRender',
    'origin',
    'pageUrl',
    'phone',
    'prechecked',
    'purpose',
    'referrerHost',
    'retainUntil',
    'sellerName',
    'sellerProviderId',
    'textId',
    'textKnown',
    'textSha256',
    'textShown',
    'textVersion',
    'userAgent',
    'uuid',
  ],
} as const;
type EvidenceName = (typeof evidenceNames)[keyof typeof evidenceNames][number];

type EvidenceValue = string | number | boolean | readonly string[] | null;

/** How each name is read from a row. Instants are ISO 8601 in UTC to the millisecond, addresses have one spelling. */
const readers: Record<EvidenceName, (row: ConsentFacts) => EvidenceValue> = {
  acceptedAt: (row) => row.acceptedAt.toISOString(),
  answers: (row) => row.answers,
  channels: (row) => row.channels,
  checked: (row) => row.checked,
  clientClock: (row) => row.clientClock?.toISOString() ?? null,
  email: (row) => row.email,
  fetchSite: (row) => row.fetchSite,
  firstName: (row) => row.firstName,
  formKey: (row) => row.formKey,
  formSha256: (row) => row.formSha256,
  formVersion: (row) => row.formVersion,
  gpc: (row) => row.gpc,
  hashVersion: (row) => row.hashVersion,
  host: (row) => row.host,
  ip: (row) => plainAddress(row.ip) ?? row.ip,
  lastName: (row) => row.lastName,
  leadId: (row) => row.leadId,
  leadPublicId: (row) => row.leadPublicId,
  msFromRender: (row) => row.msFromRender,
  origin: (row) => row.origin,
  pageUrl: (row) => row.pageUrl,
  phone: (row) => row.phone,
  prechecked: (row) => row.prechecked,
  purpose: (row) => row.purpose,
  referrerHost: (row) => row.referrerHost,
  retainUntil: (row) => row.retainUntil.toISOString(),
  sellerName: (row) => row.sellerName,
  sellerProviderId: (row) => row.sellerProviderId,
  textId: (row) => row.textId,
  textKnown: (row) => row.textKnown,
  textSha256: (row) => row.textSha256,
  textShown: (row) => row.textShown,
  textVersion: (row) => row.textVersion,
  userAgent: (row) => row.userAgent,
  uuid: (row) => row.uuid,
};

/**
 * SHA-256 of the row as canonical JSON: the names of its hash version in their order, null for a missing value. The
 * same before the insert and after reading back. A row with an unknown version is hashed as the newest: the version is
 * part of that hash, so a changed version is detected.
 */
export function consentRowHash(row: ConsentFacts): string {
  const namesOfVersion: Partial<Record<number, readonly EvidenceName[]>> = evidenceNames;
  const names = namesOfVersion[row.hashVersion] ?? evidenceNames[hashVersion];
  return sha256(JSON.stringify(Object.fromEntries(names.map((name) => [name, readers[name](row)]))));
}

/**
 * The names under which an erasure keeps the hashes of a record's personal values. Frozen: each name is part of its
 * value's hash. They happen to be today's column names, which the trigger `allow_consent_erasure` relies on.
 */
export const personalNames = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'ip',
  'user_agent',
  'page_url',
  'referrer_host',
  'origin',
  'text_shown',
  'answers',
] as const;
export type PersonalName = (typeof personalNames)[number];
