import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const migrationsFolder = fileURLToPath(new URL('../../../migrations', import.meta.url));
const sqlFolder = fileURLToPath(new URL('sql', import.meta.url));

/** A migration is applied once, in the order of the names, and is never edited after version 1.0.0. */
export interface MigrationFile {
  /** Such as `0003_webhooks`. */
  name: string;
  text: string;
  /** Of the text, in hexadecimal: distinguishes an edited migration from the one that was applied. */
  sha256: string;
  /** Runs outside a transaction, for `create index concurrently`: the first line is `-- concurrent`. */
  isConcurrent: boolean;
}

/** The current text of a function and its triggers: may be applied any number of times. */
export type FunctionFile = Omit<MigrationFile, 'isConcurrent'>;

function readFolder(folder: string): FunctionFile[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      const sha256 = createHash('sha256').update(text).digest('hex');
      return { name: path.basename(file, '.sql'), text, sha256 };
    });
}

/** The migrations of this version, in order. */
export function readMigrations(folder = migrationsFolder): MigrationFile[] {
  return readFolder(folder).map((file) => ({
    ...file,
    isConcurrent: file.text.split('\n', 1)[0]?.trim() === '-- concurrent',
  }));
}

/** The functions and triggers of this version. */
export function readFunctions(): FunctionFile[] {
  return readFolder(sqlFolder);
}
