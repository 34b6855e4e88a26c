import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { MigrationFile } from '#server/db/applyMigrations.ts';

export const backupMethods = ['pg_dump', 'copy'] as const;
export type BackupMethod = (typeof backupMethods)[number];

const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);
/** No path, so that a manifest can't name files outside its folder. */
const fileName = z.string().regex(/^[\w-]+(\.[\w-]+)*$/);

const table = z.object({ name: z.string(), rows: z.number().int() });
const copiedTable = table.extend({ columns: z.array(z.string()), file: fileName });
const copiedSequence = z.object({ name: z.string(), lastValue: z.string(), isCalled: z.boolean() });

export type CopiedTable = z.infer<typeof copiedTable>;
export type CopiedSequence = z.infer<typeof copiedSequence>;

/** `manifest.json`: written last, so a folder without it is an interrupted backup. Contains no secret. */
const manifest = z.object({
  format: z.literal(1),
  /** The version in package.json. */
  product: z.string(),
  /** When the snapshot was taken, by the database's clock. */
  at: z.iso.datetime(),
  method: z.enum(backupMethods),
  /** The server's version, such as `18.4`. */
  postgres: z.string(),
  migrations: z.array(z.object({ name: z.string(), sha256: sha256Hex })),
  files: z.array(z.object({ name: fileName, bytes: z.number().int(), sha256: sha256Hex })),
  /** For `copy`, what is needed to load them. For `pg_dump`, only names and rows. */
  tables: z.array(z.union([copiedTable, table])),
  sequences: z.array(copiedSequence),
  /** Of each of SECRET_KEYS. */
  keyFingerprints: z.array(z.string()),
  ledger: z.object({
    isConfigured: z.boolean(),
    /** The last shipped entry in the backup; 0 if there is none. */
    sequence: z.number().int(),
    /** When that entry was recorded. */
    at: z.iso.datetime().nullable(),
    unshipped: z.number().int(),
    oldestUnshippedSeconds: z.number(),
  }),
});
export type Manifest = z.infer<typeof manifest>;

const manifestName = 'manifest.json';

export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

export async function writeManifest(folder: string, content: Manifest): Promise<void> {
  await writeFile(join(folder, manifestName), `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
}

/** Throws a sentence if the folder has no complete backup. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Error(`${folder} has no ${manifestName}: it is no backup, or one that was interrupted.`);
  });
  const parsed = manifest.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  throw new Error(`${join(folder, manifestName)} can't be read: ${z.prettifyError(parsed.error)}`);
}

/** Throws a sentence for the first file that is missing or not the one that was written. */
export async function verifyFiles(folder: string, { files }: Manifest): Promise<void> {
  for (const { name, sha256 } of files) {
    const found = await sha256OfFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      throw new Error(`${name} is missing from the backup. Nothing was restored.`);
    });
    if (found !== sha256)
      throw new Error(
        `${name} isn't the file that was backed up: its SHA-256 differs. Nothing was restored.`,
      );
  }
}

/** Throws a sentence if this version doesn't know every migration of the backup. */
export function refuseOtherSchema({ migrations, product }: Manifest, files: readonly MigrationFile[]): void {
  const known = new Map(files.map(({ name, sha256 }) => [name, sha256]));
  const newer = migrations.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  if (newer.length > 0)
    throw new Error(
      `A newer version (${product}) made this backup: this one doesn't know ${newer.join(', ')}. Restore it with that version. Nothing was restored.`,
    );
  const edited = migrations.find(({ name, sha256 }) => known.get(name) !== sha256);
  if (edited !== undefined)
    throw new Error(
      `Migration ${edited.name} isn't the one that the backup's database had. Restore it with version ${product}. Nothing was restored.`,
    );
}
