import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import { hourMs } from '#shared/formats/time.ts';

interface StoreOptions {
  /** Created when needed. Any number of processes may share it. */
  folder: string;
  log: Log;
  bytesMax?: number;
}

const missingCodes = new Set(['ENOENT']);
const tagPattern = /^[\w-]{1,64}$/;
const pngName = /^[\w-]{1,64}\.png$/;
const draftName = /^\.[\w-]+\.draft$/;
/** A draft of a process that ended while writing. */
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
 * Stores images on disk, so that each is drawn once for all processes and restarts. A file is written under another
 * name, renamed, and checked for its end when it is read, so a crash never leaves a partial image. Above `bytesMax`,
 * the least recently read images are removed. Each process measures the folder after writing a sixteenth of the limit,
 * so N processes may exceed it by N sixteenths for a while.
 */
export function createShareImageStore({ folder, log, bytesMax = 128 * 1024 * 1024 }: StoreOptions) {
  const measureEvery = bytesMax / 16;
  let putSinceMeasured = Infinity;
  let measuring: Promise<void> | null = null;

  const getFile = (tag: string): string => {
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
    /** An image by its content tag; null if there is none, only part of one, or the disk fails. */
    async find(tag: string): Promise<Buffer | null> {
      const file = getFile(tag);
      try {
        const png = await readFile(file);
        if (!isWhole(png)) return null;
        const now = new Date();
        await utimes(file, now, now).catch(() => undefined); // another process may have removed it
        return png;
      } catch (error) {
        if (!hasCode(error, missingCodes))
          log.warn({ event: 'share-image.read-failed', err: error }, 'a kept share image could not be read');
        return null;
      }
    },
    /** Stores a PNG under its content tag. Logs a failure of the disk: the image is drawn again when needed. */
    async put(tag: string, png: Buffer): Promise<void> {
      const draft = join(folder, `.${randomUUID()}.draft`);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(draft, png, { mode: 0o600 });
        await rename(draft, getFile(tag));
        putSinceMeasured += png.length;
        if (putSinceMeasured >= measureEvery)
          await (measuring ??= removeOldest().finally(() => (measuring = null)));
      } catch (error) {
        log.warn(
          { event: 'share-image.store-failed', err: error },
          'a share image could not be kept on disk',
        );
        await rm(draft, { force: true }).catch(() => undefined);
      }
    },
  };
}

function isWhole(png: Buffer): boolean {
  return png.subarray(0, pngStart.length).equals(pngStart) && png.subarray(-pngEnd.length).equals(pngEnd);
}

/** The images in a folder. Also removes abandoned drafts. */
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
