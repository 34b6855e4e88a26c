import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '#server/log.ts';
import { hourMs } from '#shared/formats/time.ts';

export interface ShareImageStore {
  /** A picture by its content tag; null when there is none, only part of one, or the disk can't be read. */
  find: (tag: string) => Promise<Buffer | null>;
  /** Keeps a PNG under its content tag. A disk that fails is logged, never thrown: the picture is drawn again when it is needed. */
  put: (tag: string, png: Buffer) => Promise<void>;
}

interface StoreOptions {
  /** Created when needed. Any number of processes may share it. */
  folder: string;
  log: Log;
  /** Bytes of all pictures together. */
  bytesMax?: number;
}

const tagPattern = /^[\w-]{1,64}$/;
const pngName = /^[\w-]{1,64}\.png$/;
const draftName = /^\.[\w-]+\.draft$/;
/** A draft of a process that ended while it wrote. */
const draftLifeMs = hourMs;
const pngStart = Buffer.from('89504e470d0a1a0a', 'hex');
/** The empty IEND chunk that ends every PNG file. */
const pngEnd = Buffer.from('0000000049454e44ae426082', 'hex');

interface StoredFile {
  path: string;
  bytes: number;
  usedAtMs: number;
}

/**
 * Keeps pictures on disk, so that each is drawn once, whatever restarts and however many processes there are. A file is written under another name
 * and renamed, and checked for its end when it is read: a crash leaves no half picture that anyone would be sent. Over `bytesMax` those read
 * longest ago are removed; as each process measures the folder after a sixteenth of that, N processes may exceed it by N sixteenths for a while.
 */
export function createShareImageStore({
  folder,
  log,
  bytesMax = 128 * 1024 * 1024,
}: StoreOptions): ShareImageStore {
  const measureEvery = bytesMax / 16;
  let putSinceMeasured = Infinity;
  let measuring: Promise<void> | null = null;

  const fileOf = (tag: string): string => {
    if (!tagPattern.test(tag)) throw new Error('not a content tag');
    return join(folder, `${tag}.png`);
  };

  async function removeOldest(): Promise<void> {
    putSinceMeasured = 0;
    const files = await filesIn(folder);
    let total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { path, bytes } of files.toSorted((a, b) => a.usedAtMs - b.usedAtMs)) {
      if (total <= bytesMax - measureEvery) break;
      await rm(path, { force: true });
      total -= bytes;
    }
  }

  return {
    async find(tag) {
      const file = fileOf(tag);
      try {
        const png = await readFile(file);
        if (!isWhole(png)) return null;
        const now = new Date();
        await utimes(file, now, now).catch(() => undefined); // another process may have removed it
        return png;
      } catch (error) {
        if (!isMissing(error)) log.warn({ err: error }, 'a kept share image could not be read');
        return null;
      }
    },
    async put(tag, png) {
      const draft = join(folder, `.${randomUUID()}.draft`);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(draft, png, { mode: 0o600 });
        await rename(draft, fileOf(tag));
        putSinceMeasured += png.length;
        if (putSinceMeasured >= measureEvery)
          await (measuring ??= removeOldest().finally(() => (measuring = null)));
      } catch (error) {
        log.warn({ err: error }, 'a share image could not be kept on disk');
        await rm(draft, { force: true }).catch(() => undefined);
      }
    },
  };
}

function isWhole(png: Buffer): boolean {
  return png.subarray(0, pngStart.length).equals(pngStart) && png.subarray(-pngEnd.length).equals(pngEnd);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** The pictures in a folder. Drafts that nobody will finish are removed on the way. */
async function filesIn(folder: string): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for (const name of await readdir(folder)) {
    if (!pngName.test(name) && !draftName.test(name)) continue;
    const path = join(folder, name);
    const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }));
    if (pngName.test(name)) files.push({ path, bytes: size, usedAtMs: mtimeMs });
    else if (mtimeMs > 0 && mtimeMs < Date.now() - draftLifeMs) await rm(path, { force: true });
  }
  return files;
}
