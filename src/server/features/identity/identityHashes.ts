import { createHash, createHmac } from 'node:crypto';
import { type SQL, sql, type SQLWrapper } from 'drizzle-orm';
import { normalizedEmail } from '#shared/leads/emailAddress.ts';
import type { IdentityKind } from './identity.ts';
import { getMailbox, recipientGroups, untaggedEmail } from './mailbox.ts';
import { firstMailbox } from './normalForms.ts';

/** HMAC-SHA256 hashes blocks of 64 bytes (RFC 2104). */
const blockBytes = 64;

/**
 * The keyed hash of a normalized email address or phone number: 64 lowercase hexadecimal digits. `key`: the identity
 * key (dataKeys.ts). Without it, nobody can use a copy of the database to test phone numbers.
 */
export function identityHash(key: Buffer, kind: IdentityKind, value: string): string {
  return keyedHash(key, `${kind}\n${value}`);
}

/** The keyed hash of exactly an address as typed, for addresses that refuse mail: another tag is another address. */
export function recipientHash(key: Buffer, address: string): string {
  return keyedHash(key, `recipient address\n${normalizedEmail(address.trim())}`);
}

function computeHashes(key: Buffer, forms: readonly string[]): string[] {
  return [...new Set(forms)].map((form) => mailboxHash(key, form));
}

/**
 * The same for every form under which the address may be stored: the current one first, then those of 1.0.1 and 1.0.0,
 * which had no plus tag and so still stop every tag.
 */
export function recipientHashes(key: Buffer, address: string): string[] {
  return [
    recipientHash(key, address),
    ...computeHashes(key, [untaggedEmail(address), firstMailbox(address)]),
  ];
}

/** The hashes of an address's mailbox, for limits per recipient: the current form, then those of 1.0.1 and 1.0.0. */
export function limitHashes(key: Buffer, address: string): string[] {
  return computeHashes(key, [getMailbox(address), untaggedEmail(address), firstMailbox(address)]);
}

/** The keyed hashes of the groups of an address as typed. */
export function groupHashes(key: Buffer, address: string): { prefixHmac: string; domainHmac: string } {
  const { prefix, domain } = recipientGroups(address);
  const hash = (kind: string, value: string): string => keyedHash(key, `recipient ${kind}\n${value}`);
  return {
    prefixHmac: hash('prefix', prefix),
    domainHmac: hash('domain', domain),
  };
}

export function mailboxHash(key: Buffer, mailbox: string): string {
  return keyedHash(key, `recipient\n${mailbox}`);
}

/** The keyed hash of a normalized email address, and that of its mailbox. */
export interface MailboxHashes {
  emailHmac: string;
  mailboxHmac: string;
}

function keyedHash(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

/** The key's two blocks for `identityHashSql`, in hexadecimal. They are as secret as the key. */
export interface IdentityPads {
  innerPad: string;
  outerPad: string;
}

export function identityPads(key: Buffer): IdentityPads {
  const block = Buffer.alloc(blockBytes);
  block.set(key.length > blockBytes ? createHash('sha256').update(key).digest() : key);
  const getPad = (byte: number): string => Buffer.from(block.map((at) => at ^ byte)).toString('hex');
  return { innerPad: getPad(0x36), outerPad: getPad(0x5c) };
}

/** `identityHash` by Postgres, without an extension. `pads`: parameters or placeholders for `identityPads`. */
export function identityHashSql(
  kind: IdentityKind,
  value: SQLWrapper,
  { innerPad, outerPad }: Record<keyof IdentityPads, unknown>,
): SQL {
  const text = sql`convert_to(${sql.raw(`'${kind}'`)} || chr(10) || ${value}, 'UTF8')`;
  const inner = sql`sha256(decode(${innerPad}::text, 'hex') || ${text})`;
  return sql`encode(sha256(decode(${outerPad}::text, 'hex') || ${inner}), 'hex')`;
}
