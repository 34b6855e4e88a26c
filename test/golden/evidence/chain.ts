import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { TestDb } from '#test/support/testDb.ts';

/**
 * Where each part of the chain is stored: the only place that knows the tables and columns of evidence. A renamed
 * column changes its right-hand side here. The names on the left are the fixture's and stay.
 */
const tables = {
  formSnapshots: {
    table: 'consent_form_snapshots',
    columns: { sha256: 'sha256', html: 'html', createdAt: 'created_at' },
  },
  records: {
    table: 'consent_records',
    columns: {
      id: 'id',
      acceptedAt: 'accepted_at',
      channels: 'channels',
      checked: 'checked',
      email: 'email',
      fetchSite: 'fetch_site',
      firstName: 'first_name',
      formKey: 'form_key',
      formSha256: 'form_sha256',
      gpc: 'gpc',
      hashVersion: 'hash_version',
      host: 'host',
      ip: 'ip',
      lastName: 'last_name',
      leadId: 'lead_id',
      leadPublicId: 'lead_public_id',
      msFromRender: 'ms_from_render',
      origin: 'origin',
      pageUrl: 'page_url',
      phone: 'phone',
      referrerHost: 'referrer_host',
      retainUntil: 'retain_until',
      sellerName: 'seller_name',
      sellerProviderId: 'seller_provider_id',
      textId: 'text_id',
      textKnown: 'text_known',
      textSha256: 'text_sha256',
      textShown: 'text_shown',
      textVersion: 'text_version',
      userAgent: 'user_agent',
      uuid: 'uuid',
      rowHash: 'row_hash',
    },
  },
  erasures: {
    table: 'consent_erasures',
    columns: {
      recordId: 'record_id',
      at: 'at',
      salt: 'salt',
      hashes: 'hashes',
      wasIntact: 'was_intact',
      erasureHash: 'erasure_hash',
    },
  },
  withdrawals: {
    table: 'consent_withdrawals',
    columns: { id: 'id', leadId: 'lead_id', at: 'at', how: 'how', by: 'by', ip: 'ip' },
  },
  sealKeys: {
    table: 'data_keys',
    columns: { id: 'id', purpose: 'purpose', sealedKey: 'sealed_key', createdAt: 'created_at' },
  },
  seals: {
    table: 'consent_seals',
    columns: {
      seq: 'seq',
      recordId: 'record_id',
      sealed: 'sealed',
      prevHash: 'prev_hash',
      sealHash: 'seal_hash',
      sealedAt: 'sealed_at',
      keyId: 'key_id',
      sealHmac: 'seal_hmac',
    },
  },
} as const satisfies Record<string, { table: string; columns: Record<string, string> }>;

type Part = keyof typeof tables;
const parts: readonly Part[] = ['formSnapshots', 'records', 'erasures', 'withdrawals', 'sealKeys', 'seals'];

/** Values as JSON has them: instants as ISO 8601, ids as numbers. */
export type ChainRow = Record<string, z.output<ReturnType<typeof z.json>>>;

const rows = z.array(z.record(z.string(), z.json()));
const chainSchema = z.object({
  /** SECRET_KEYS that open the seal keys: the newest first. */
  secretKeys: z.array(z.string()),
  head: z.object({ seq: z.number(), sealHash: z.string() }),
  /** The personal values of one record before its erasure, by the names that their hashes are kept under. */
  erased: z.object({ recordId: z.number(), values: z.record(z.string(), z.string().nullable()) }),
  /** The signed part of a withdrawal link. */
  withdrawalLink: z.object({ leadId: z.number(), token: z.string() }),
  formSnapshots: rows,
  records: rows,
  erasures: rows,
  withdrawals: rows,
  sealKeys: rows,
  seals: rows,
});
export type Chain = z.output<typeof chainSchema>;

export const chainFile = new URL('chain.json', import.meta.url);

export async function readChain(): Promise<Chain> {
  return chainSchema.parse(JSON.parse(await readFile(chainFile, 'utf8')));
}

function listColumns(part: Part): [name: string, column: string][] {
  return Object.entries(tables[part].columns);
}

function toColumns(part: Part, row: ChainRow): ChainRow {
  const columns = new Map(listColumns(part));
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const column = columns.get(name);
      if (column === undefined) throw new Error(`${part}: no column stores ${name}`);
      return [column, value];
    }),
  );
}

/**
 * Replaces all evidence in a database by the chain. Triggers stay silent: nothing is checked but types and constraints.
 */
export async function loadChain({ sql }: TestDb, chain: Chain): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    for (const part of parts.toReversed()) await tx`delete from ${tx(tables[part].table)}`;
    for (const part of parts) {
      const table = tx(tables[part].table);
      const columns = tx(listColumns(part).map(([, column]) => column));
      const values = JSON.stringify(chain[part].map((row) => toColumns(part, row)));
      await tx`
        insert into ${table} (${columns}) overriding system value
        select ${columns} from jsonb_populate_recordset(null::${table}, ${values}::text::jsonb)`;
    }
  });
}

/** All evidence in a database, under the chain's names, in the order of its first column. */
export async function dumpEvidence({ sql }: TestDb): Promise<Pick<Chain, Part>> {
  const dump = async (part: Part): Promise<ChainRow[]> => {
    const columns = listColumns(part);
    const [, first = ''] = columns[0] ?? [];
    const found = await sql`
      select to_jsonb(t) as row from ${sql(tables[part].table)} t
      where ${part === 'sealKeys' ? sql`purpose = 'consent-seal'` : sql`true`} order by ${sql(first)}`;
    const stored = z.array(z.object({ row: z.record(z.string(), z.json()) })).parse([...found]);
    return stored.map(({ row }) =>
      Object.fromEntries(columns.map(([name, column]) => [name, row[column] ?? null])),
    );
  };
  return {
    formSnapshots: await dump('formSnapshots'),
    records: await dump('records'),
    erasures: await dump('erasures'),
    withdrawals: await dump('withdrawals'),
    sealKeys: await dump('sealKeys'),
    seals: await dump('seals'),
  };
}
