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
  kind: MigrationKind;
}

/**
 * The first line of a file names its kind, `transaction` if there is none. `-- concurrent`: runs outside a transaction,
 * for `create index concurrently`. `-- batched`: one statement that changes some thousand rows, each time in a
 * transaction of its own, until it changes none.
 */
export type MigrationKind = 'transaction' | 'concurrent' | 'batched';

/** The current text of a function and its triggers: may be applied any number of times. */
export type FunctionFile = Omit<MigrationFile, 'kind'>;

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
    kind: getKind(file.text),
  }));
}

/** The kind of a migration by its first line. */
export function getKind(text: string): MigrationKind {
  const [first = ''] = text.split('\n', 1);
  return (['concurrent', 'batched'] as const).find((kind) => first.trim() === `-- ${kind}`) ?? 'transaction';
}

/** The functions and triggers of this version. */
export function readFunctions(): FunctionFile[] {
  return readFolder(sqlFolder);
}
