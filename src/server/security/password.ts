import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import pLimit, { type LimitFunction } from 'p-limit';

/** OWASP's first choice for Argon2id (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const saltBytes = 16;
const tagBytes = 32;
/** Above these limits, a hash from the environment would delay every sign-in. */
const costMax = { memory: 2 ** 20, passes: 20, parallelism: 16 } as const;

const derive = promisify(argon2);
/** Who waits for a hash: anyone, or staff, who are signed in or use a known device. */
export type HashingFor = 'strangers' | 'staff';

/**
 * Each hash needs its memory, so hashes are computed one after another. Staff have a slot that strangers cannot use.
 */
const slots: Record<HashingFor, LimitFunction> = { strangers: pLimit(1), staff: pLimit(1) };

interface PasswordHash {
  memory: number;
  passes: number;
  parallelism: number;
  salt: Buffer;
  tag: Buffer;
}

/** Reads `$argon2id$v=19$m=19456,t=2,p=1$salt$hash` (PHC); null for anything else and for costs out of bounds. */
function parsePhc(phc: string): PasswordHash | null {
  const [, m = '', t = '', p = '', salt = '', tag = ''] =
    /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/.exec(
      phc,
    ) ?? [];
  const [memory, passes, parallelism] = [Number(m), Number(t), Number(p)];
  const isBounded =
    passes >= 1 &&
    passes <= costMax.passes &&
    parallelism >= 1 &&
    parallelism <= costMax.parallelism &&
    memory >= 8 * parallelism &&
    memory <= costMax.memory;
  return isBounded
    ? {
        memory,
        passes,
        parallelism,
        salt: Buffer.from(salt, 'base64'),
        tag: Buffer.from(tag, 'base64'),
      }
    : null;
}

export function isPasswordHash(text: string): boolean {
  return parsePhc(text) !== null;
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

/** Different keyboards may send the same letters as different characters (RFC 8265, section 4.2.2: NFC). */
function buildMessage(password: string): string {
  return password.normalize('NFC');
}

/** A new Argon2id hash with a random salt, as a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const tag = await slots.staff(() =>
    derive('argon2id', { ...cost, message: buildMessage(password), nonce: salt, tagLength: tagBytes }),
  );
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
}

/** A hash of no password. It is checked if there is no hash, so that the response takes as long. */
const nobodysHash = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/**
 * Whether a password matches; false after the same time without a hash. Throws for a hash that isn't Argon2id's PHC.
 */
export async function verifyPassword(
  password: string,
  phc: string | null,
  hashingFor: HashingFor = 'staff',
): Promise<boolean> {
  const hash = parsePhc(phc ?? nobodysHash);
  if (hash === null) throw new Error('a stored password hash is not an Argon2id PHC string');
  const { memory, passes, parallelism, salt, tag } = hash;
  const derived = await slots[hashingFor](() =>
    derive('argon2id', {
      memory,
      passes,
      parallelism,
      message: buildMessage(password),
      nonce: salt,
      tagLength: tag.length,
    }),
  );
  return timingSafeEqual(derived, tag) && phc !== null;
}
