import { createHmac } from 'node:crypto';

/** Recognizes a key of SECRET_KEYS without revealing it. */
export function keyFingerprint(secret: string): string {
  return createHmac('sha256', secret).update('backup-key-fingerprint').digest('hex').slice(0, 16);
}

/** What a restored database lacks without the keys that it was used with. */
export const lostWithoutKeys = [
  'Suppressions and erasures can’t be checked or replayed, so nothing is delivered.',
  'Links in messages that were sent (withdrawal, outcome) don’t work.',
  'Providers’ CRM keys and webhook secrets must be entered again.',
  'HMACs of the consent chain can’t be checked.',
] as const;
