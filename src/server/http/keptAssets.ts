import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { dayMs } from '#shared/formats/time.ts';
import type { Log } from '../log.ts';

/** A built file and its compressed copies. */
export interface BuiltFile {
  identity: Buffer;
  br: Buffer | null;
  gzip: Buffer | null;
}

/** Vite's names contain a hash of the content, so equal names of two builds have equal contents. */
const builtName = /^[\w-][\w.-]*$/;
/** A page that is open longer than this may have to be reloaded. */
const keptDays = 30;

interface KeptAssetsOptions {
  /** Shared by the processes of all builds on this machine. */
  folder: string;
  /** The hashed files of this build. */
  assetsDir: string;
  log: Log;
  now?: () => Date;
}

/**
 * Copies this build's files into the shared folder, in the background, and returns a reader of the folder. During a
 * rolling deployment, a page of one build may request its scripts from a process of the other. Files that no build has
 * used at its start for thirty days are deleted. A folder that can't be written is logged, and nothing is kept.
 */
export function keepAssets({ folder, assetsDir, log, now = () => new Date() }: KeptAssetsOptions) {
  const kept = copyAll(assetsDir, folder, now())
    .then(() => deleteOld(folder, now()))
    .catch((error: unknown) =>
      log.warn({ event: 'assets.not-kept', err: error }, 'built files could not be kept for other builds'),
    );
  return {
    /** Resolves when the files are copied. */
    kept,
    /** A file by its name in `/assets/`; null if no build has it. */
    read: (name: string): Promise<BuiltFile | null> =>
      builtName.test(name) ? readBuilt(path.join(folder, name)) : Promise.resolve(null),
  };
}

async function copyAll(from: string, folder: string, now: Date): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(from)) {
    const target = path.join(folder, name);
    const isThere = await utimes(target, now, now).then(
      () => true,
      () => false,
    );
    if (isThere) continue;
    // Another process never reads half a file.
    const part = `${target}.${randomUUID()}.part`;
    await copyFile(path.join(from, name), part);
    await utimes(part, now, now);
    await rename(part, target);
  }
}

async function deleteOld(folder: string, now: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    // Another process may delete it first.
    const mtimeMs = await stat(file).then(
      (info) => info.mtimeMs,
      () => Infinity,
    );
    if (mtimeMs < now.getTime() - keptDays * dayMs) await rm(file, { force: true });
  }
}

async function readBuilt(file: string): Promise<BuiltFile | null> {
  const read = (name: string): Promise<Buffer | null> => readFile(name).catch(() => null);
  const [identity, br, gzip] = await Promise.all([read(file), read(`${file}.br`), read(`${file}.gz`)]);
  return identity === null ? null : { identity, br, gzip };
}
