import {
  chmod,
  type FileHandle,
  link,
  mkdir,
  open,
  readFile,
  rename,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseJson } from '#server/security/readBody.ts';
import {
  type LedgerEntry,
  ledgerEntry,
  LedgerConflict,
  takenNumber,
  type LedgerTarget,
} from './ledgerEntry.ts';

/** More than the longest line: an erasure of thousands of leads. */
const tailBytes = 512 * 1024;
const newline = 10;

/** A line that a crash cut off is no entry; the entry was written again after it. */
function parseLines(text: string): LedgerEntry[] {
  return text.split('\n').flatMap((line) => parseJson(ledgerEntry, line) ?? []);
}

/** Throws a sentence if there is no file: an empty ledger is an empty file. */
async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Error(
      `The erasure ledger ${path} doesn't exist. Check LEDGER_URL. If nothing was ever shipped, create an empty file.`,
    );
  });
}

/** The last entry of a file, and whether its last line is incomplete. */
async function readEnd(file: FileHandle): Promise<{ last: LedgerEntry | null; isTorn: boolean }> {
  const { size } = await file.stat();
  const length = Math.min(size, tailBytes);
  const tail = Buffer.alloc(length);
  await file.read(tail, 0, length, size - length);
  return {
    last: parseLines(tail.toString('utf8')).at(-1) ?? null,
    isTorn: length > 0 && tail.at(-1) !== newline,
  };
}

/**
 * A ledger in a file with one JSON object per line. Every entry is appended and flushed to disk. Processes on one
 * machine may share the file. The notes are a file beside it, which is replaced whole.
 */
export function openFileLedger(path: string): LedgerTarget {
  const notesPath = `${path}.notes.json`;
  return {
    async append(entry) {
      await mkdir(dirname(path), { recursive: true });
      const file = await open(path, 'a+', 0o600);
      try {
        const { last, isTorn } = await readEnd(file);
        if (last !== null && last.sequence >= entry.sequence) {
          const stored = parseLines(await readText(path)).find(({ sequence }) => sequence === entry.sequence);
          if (stored?.mac !== entry.mac) throw takenNumber(entry.sequence);
          return;
        }
        if (last !== null && last.sequence < entry.sequence - 1)
          throw new LedgerConflict(
            `The erasure ledger ends at entry ${last.sequence}, but ${entry.sequence} is next: entries were written to another file. Let all workers write to one place (LEDGER_URL).`,
          );
        await file.appendFile(`${isTorn ? '\n' : ''}${JSON.stringify(entry)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
    },
    async read(from) {
      return parseLines(await readText(path)).filter(({ sequence }) => sequence >= from);
    },
    readNotes: () =>
      readFile(notesPath, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        return null;
      }),
    async writeNotes(text) {
      await mkdir(dirname(path), { recursive: true });
      const whole = `${notesPath}.${process.pid}`;
      await writeFile(whole, text, { mode: 0o600, flush: true });
      // A user who may read the entries, such as that of a restore, may read the notes.
      const entries = await stat(path).catch(() => null);
      if (entries !== null) await chmod(whole, entries.mode);
      await rename(whole, notesPath);
    },
    async putOnce(name, text) {
      const file = `${path}.${name}`;
      await mkdir(dirname(path), { recursive: true });
      // Complete before it has this name.
      const whole = `${file}.${process.pid}`;
      await writeFile(whole, text, { mode: 0o600, flush: true });
      try {
        await link(whole, file);
        return null;
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
        return await readFile(file, 'utf8');
      } finally {
        await unlink(whole);
      }
    },
  };
}
