import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { storeLeads } from '#server/features/leads/intake/storeLeads.ts';
import { sealAll } from './evidence.ts';
import { insertProvider } from './factories.ts';
import { newLead } from './newLeads.ts';
import type { TestDb } from './testDb.ts';

export interface BackupFolder extends AsyncDisposable {
  /** Does not exist yet. */
  backup: string;
  ledgerFile: string;
  ledgerUrl: string;
  /** Entries of the ledger; 0 before the first. */
  entries: () => Promise<number>;
}

/** Places for a backup and a ledger, removed when the test ends. */
export async function backupFolder(): Promise<BackupFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'backup-test-'));
  const ledgerFile = join(folder, 'ledger', 'ledger.jsonl');
  return {
    backup: join(folder, 'backup'),
    ledgerFile,
    ledgerUrl: pathToFileURL(ledgerFile).href,
    entries: async () => (await readFile(ledgerFile, 'utf8').catch(() => '')).split('\n').length - 1,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

export interface StoredLead {
  id: number;
  publicId: string;
  email: string;
  phone: string;
}

/** Stores leads with sealed evidence as the intake does, a hundred in a transaction, and nothing to deliver. */
export async function storeManyLeads(database: TestDb, count: number): Promise<StoredLead[]> {
  const { id: providerId } = await insertProvider(database.db);
  for (let stored = 0; stored < count; stored += 100) {
    const list = Array.from({ length: Math.min(100, count - stored) }, () => ({
      ...newLead({ providerId }),
      deliveries: [],
    }));
    await database.db.transaction((tx) => storeLeads(tx, list, { now: new Date(), identityKey: null }));
  }
  await sealAll(database);
  const rows = await database.sql<{ id: string; public_id: string; email: string; phone_e164: string }[]>`
    select id, public_id, email, phone_e164 from leads order by id`;
  return rows.map((row) => ({
    id: Number(row.id),
    publicId: row.public_id,
    email: row.email,
    phone: row.phone_e164,
  }));
}
