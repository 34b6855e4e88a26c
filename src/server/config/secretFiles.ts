import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Settings that are secrets, or contain a password. Each can also be the content of a file that `…_FILE` names. */
export const secretSettings = [
  'SECRET_KEYS',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URL',
  'DATABASE_OWNER_URL',
  'ADMIN_PASSWORD_HASH',
  'METRICS_TOKEN',
  'SMTP_URL',
  'ALERT_SMTP_URL',
  'INBOUND_MAIL_SECRET',
  'CRM_WEBHOOK_SECRET',
  'HUBSPOT_TOKEN',
  'WORDPRESS_APP_PASSWORD',
  'LEDGER_ACCESS_KEY_ID',
  'LEDGER_SECRET_ACCESS_KEY',
  'OIDC_CLIENT_SECRET',
] as const;

/** Far more than any setting. */
const bytesMax = 64 * 1024;

type Environment = Record<string, string | undefined>;

/** Whether a variable has a value: an empty one counts as unset. */
export function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '';
}

/** A name without a slash is that of a credential, where systemd gives the process some (LoadCredential=). */
function getPath(file: string, { CREDENTIALS_DIRECTORY: folder }: Environment): string {
  return isSet(folder) && !file.includes('/') ? join(folder, file) : file;
}

/** A secret's value, or why it has none. The reason never contains anything of the file. */
function readSecretFile(file: string): { value: string } | { fault: string } {
  try {
    const bytes = readFileSync(file);
    if (bytes.length > bytesMax) return { fault: 'the file is too long for a setting' };
    // Bytes that are no text would all become the same character, which makes a key easy to guess.
    if (!isUtf8(bytes)) return { fault: 'the file is no text in UTF-8' };
    const value = bytes
      .toString()
      .replace(/^\ufeff/, '')
      .replace(/[\r\n]+$/, '');
    if (value.trim() === '') return { fault: 'the file is empty' };
    return /[\r\n]/.test(value) ? { fault: 'the file has more than one line' } : { value };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { fault: `the file can't be read (${code})` };
  }
}

/**
 * The environment with the content of the files that `…_FILE` variables name, without line ends at the end, and a fault
 * for each file that can't be used. An empty variable counts as unset, and an empty file doesn't.
 */
export function readSecretFiles(env: Environment): { env: Environment; faults: string[] } {
  const read: Environment = { ...env };
  const faults: string[] = [];
  for (const name of secretSettings) {
    const variable = `${name}_FILE`;
    const file = env[variable];
    if (!isSet(file)) continue;
    if (isSet(env[name])) {
      faults.push(`${name}, ${variable}: set one of them, not both`);
      continue;
    }
    const result = readSecretFile(getPath(file.trim(), env));
    if ('fault' in result) faults.push(`${variable}: ${result.fault}`);
    else read[name] = result.value;
  }
  return { env: read, faults };
}

/** A key with fewer bits can be guessed. */
export const keyBitsMin = 128;

/** Whole words between separators. A random key practically never contains one. */
const placeholder =
  /(?<![a-z0-9])(change|secret|password|example|placeholder|replace|default|test)(?![a-z0-9])/i;

/**
 * Estimates a key's entropy in bits: Shannon's entropy per character, times the characters not predictable from the
 * previous ones. Repeated, ascending and descending sequences add nothing. A placeholder word makes it zero.
 */
export function keyBits(key: string): number {
  if (placeholder.test(key)) return 0;
  const characters = key.split('');
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  let unpredictable = 0;
  characters.forEach((character, at) => {
    counts.set(character, (counts.get(character) ?? 0) + 1);
    const [first = '', second = ''] = characters.slice(Math.max(0, at - 2), at);
    const three = `${first}${second}${character}`;
    if (!seen.has(three) && !isStep(three)) unpredictable += 1;
    seen.add(three);
  });
  const perCharacter = [...counts.values()]
    .map((count) => count / characters.length)
    .reduce((bits, share) => bits - share * Math.log2(share), 0);
  return perCharacter * unpredictable;
}

/** `abc`, `321`, `aaa`. */
function isStep(three: string): boolean {
  const [first, second, third] = [0, 1, 2].map((at) => three.charCodeAt(at));
  return (
    first !== undefined &&
    second !== undefined &&
    third !== undefined &&
    second - first === third - second &&
    Math.abs(third - second) <= 1
  );
}
