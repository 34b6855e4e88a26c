import { fileURLToPath } from 'node:url';
import { z } from 'zod';

interface FileLedgerConfig {
  kind: 'file';
  path: string;
}

export interface ObjectLedgerConfig {
  kind: 's3';
  /** Without a slash at the end. */
  bucketUrl: string;
  /** Empty, or ends with a slash. */
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export type LedgerConfig = FileLedgerConfig | ObjectLedgerConfig;

type Address = FileLedgerConfig | Omit<ObjectLedgerConfig, 'accessKeyId' | 'secretAccessKey'>;

const shape = 'must be file:///folder/ledger.jsonl or s3+https://host/bucket/prefix?region=…';

function parseAddress(text: string): Address | null {
  const url = URL.parse(text);
  if (url === null || url.hash !== '' || url.username !== '' || url.password !== '') return null;
  if (url.protocol === 'file:')
    return url.host === '' && /[^/]$/.test(url.pathname) ? { kind: 'file', path: fileURLToPath(url) } : null;
  if (!/^s3\+https?:$/.test(url.protocol) || url.host === '') return null;
  const [bucket = '', ...folders] = url.pathname.split('/').filter((part) => part !== '');
  // Names that mean the same in a path and in a query.
  if (![bucket, ...folders].every((part) => /^[\w.-]+$/.test(part))) return null;
  return {
    kind: 's3',
    bucketUrl: `${url.protocol.slice('s3+'.length)}//${url.host}/${bucket}`,
    prefix: folders.map((folder) => `${folder}/`).join(''),
    region: url.searchParams.get('region') ?? 'us-east-1',
  };
}

export const ledgerUrl = z.string().transform((text, ctx): Address => {
  const address = parseAddress(text);
  if (address !== null) return address;
  ctx.addIssue({ code: 'custom', message: shape });
  return z.NEVER;
});

interface LedgerVariables {
  LEDGER_URL?: Address | undefined;
  LEDGER_ACCESS_KEY_ID?: string | undefined;
  LEDGER_SECRET_ACCESS_KEY?: string | undefined;
}

/** A bucket needs both parts of its key. */
export function ledgerFaults({
  LEDGER_URL: address,
  LEDGER_ACCESS_KEY_ID: id,
  LEDGER_SECRET_ACCESS_KEY: secret,
}: LedgerVariables): string[] {
  if (address?.kind !== 's3' || (id !== undefined && secret !== undefined)) return [];
  return ['LEDGER_ACCESS_KEY_ID, LEDGER_SECRET_ACCESS_KEY: must be set where LEDGER_URL names a bucket'];
}

/** Null if no place is configured. */
export function getLedger({
  LEDGER_URL: address,
  LEDGER_ACCESS_KEY_ID: accessKeyId,
  LEDGER_SECRET_ACCESS_KEY: secretAccessKey,
}: LedgerVariables): LedgerConfig | null {
  if (address === undefined || address.kind === 'file') return address ?? null;
  if (accessKeyId === undefined || secretAccessKey === undefined) return null;
  return { ...address, accessKeyId, secretAccessKey };
}
