import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const version = 'v1';
const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

export interface Seal {
  /** Separates the key from others derived from the same secret. */
  purpose: string;
  /** The row of the text, part of the seal: copied to another row, the text does not open. */
  owner: string;
}

function toKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
}

/** Seals a text with AES-256-GCM under a key derived from the first secret, as `v1.` and base64url. */
export function sealText(secrets: readonly string[], { purpose, owner }: Seal, value: string): string {
  const [first] = secrets;
  if (first === undefined) throw new Error('sealing needs a secret key');
  const iv = randomBytes(ivBytes);
  const sealing = createCipheriv(cipher, toKey(first, purpose), iv).setAAD(Buffer.from(owner));
  const text = Buffer.concat([sealing.update(value, 'utf8'), sealing.final()]);
  return `${version}.${Buffer.concat([iv, text, sealing.getAuthTag()]).toString('base64url')}`;
}

/** The sealed text, opened with any of the secrets; null if none of them opens it. */
export function openText(
  secrets: readonly string[],
  { purpose, owner }: Seal,
  sealed: string,
): string | null {
  if (!sealed.startsWith(`${version}.`)) return null;
  const bytes = Buffer.from(sealed.slice(version.length + 1), 'base64url');
  if (bytes.length < ivBytes + tagBytes) return null;
  for (const secret of secrets) {
    try {
      const opening = createDecipheriv(cipher, toKey(secret, purpose), bytes.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      });
      opening.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-tagBytes));
      const text = opening.update(bytes.subarray(ivBytes, -tagBytes));
      return Buffer.concat([text, opening.final()]).toString('utf8');
    } catch {
      // Sealed under another secret, or not by us.
      continue;
    }
  }
  return null;
}
