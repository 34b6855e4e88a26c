import { createHash, createHmac } from 'node:crypto';
import { type SQL, sql, type SQLWrapper } from 'drizzle-orm';
import { type IdentityKind, mailboxOf } from './identity.ts';
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

/** The keyed hash of the mailbox that an address as typed leads to, for limits per recipient. */
export function recipientHash(key: Buffer, address: string): string {
  return mailboxHash(key, mailboxOf(address));
}

/** The same for every form under which the mailbox may be stored: the current one first, then that of 1.0.0. */
export function recipientHashes(key: Buffer, address: string): string[] {
  return [...new Set([mailboxOf(address), firstMailbox(address)])].map((mailbox) =>
    mailboxHash(key, mailbox),
  );
}

/** The keyed hash of a mailbox in one form. */
export function mailboxHash(key: Buffer, mailbox: string): string {
  return keyedHash(key, `recipient\n${mailbox}`);
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
  const padOf = (byte: number): string => Buffer.from(block.map((at) => at ^ byte)).toString('hex');
  return { innerPad: padOf(0x36), outerPad: padOf(0x5c) };
}

/**
 * `identityHash`, computed by Postgres without an extension. `pads`: parameters or placeholders with the values of
 * `identityPads`.
 */
export function identityHashSql(
  kind: IdentityKind,
  value: SQLWrapper,
  { innerPad, outerPad }: Record<keyof IdentityPads, unknown>,
): SQL {
  const text = sql`convert_to(${sql.raw(`'${kind}'`)} || chr(10) || ${value}, 'UTF8')`;
  const inner = sql`sha256(decode(${innerPad}::text, 'hex') || ${text})`;
  return sql`encode(sha256(decode(${outerPad}::text, 'hex') || ${inner}), 'hex')`;
}
