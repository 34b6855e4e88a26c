import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type Koa from 'koa';
import { acceptedEncodings, type Encoding, isUnchanged } from './requestHeaders.ts';
import type { Log } from '../log.ts';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dayMs } from '#shared/formats/time.ts';

/** The part of the bundle that is needed here: the folder of the built files, or Vite in development. */
interface AssetSource {
  clientDir: string | null;
  development: { middleware: Koa.Middleware } | null;
}

interface Asset {
  type: string;
  cacheControl: string;
  etag: string;
  bodies: Partial<Record<Encoding, Buffer>> & { identity: Buffer };
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
};

const hashedPrefix = '/assets/';
/** A hashed name never changes its content. A public file such as the favicon may change with the next release. */
const immutable = 'public, max-age=31536000, immutable';
const dayLong = 'public, max-age=86400';

/** Built files by URL path, with compressed siblings. Read once at startup: a path not in this map is a 404. */
function loadAssets({ clientDir }: AssetSource): Map<string, Asset> {
  if (clientDir === null) return new Map<string, Asset>();
  const files = readdirSync(clientDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(clientDir, path.join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith('.vite'));
  const siblings = new Set(files.filter((file) => /\.(?:br|gz)$/.test(file)));
  const found = new Map<string, Asset>();
  for (const file of files) {
    if (siblings.has(file)) continue;
    const sibling = (ending: string): Buffer | null =>
      siblings.has(`${file}${ending}`) ? readFileSync(path.join(clientDir, `${file}${ending}`)) : null;
    const urlPath = `/${file.split(path.sep).map(encodeURIComponent).join('/')}`;
    const identity = readFileSync(path.join(clientDir, file));
    found.set(urlPath, toAsset(urlPath, { identity, br: sibling('.br'), gzip: sibling('.gz') }));
  }
  return found;
}

function toAsset(urlPath: string, { identity, br, gzip }: BuiltFile): Asset {
  return {
    type: types[path.extname(urlPath).toLowerCase()] ?? 'application/octet-stream',
    cacheControl: urlPath.startsWith(hashedPrefix) ? immutable : dayLong,
    // Weak: all encodings of a file share one tag.
    etag: `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
    bodies: { identity, ...(br === null ? {} : { br }), ...(gzip === null ? {} : { gzip }) },
  };
}

function send(ctx: Koa.Context, asset: Asset): void {
  const encoding =
    acceptedEncodings(ctx.get('Accept-Encoding')).find((coding) => asset.bodies[coding] !== undefined) ??
    'identity';
  ctx.set('Cache-Control', asset.cacheControl);
  if (asset.bodies.br !== undefined) ctx.set('Vary', 'Accept-Encoding');
  if (isUnchanged(ctx, asset.etag)) return;
  ctx.set('Content-Type', asset.type);
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  ctx.body = asset.bodies[encoding] ?? asset.bodies.identity;
}

/** By bundle: the applications of a process share its files. */
const loaded = new WeakMap<AssetSource, Map<string, Asset>>();

interface AssetsOptions {
  bundle: AssetSource;
  /** The folder with other builds' files; without it, only this build's are served. */
  kept?: { folder: string; log: Log } | null;
}

/**
 * Serves built files from memory, and other builds' hashed files from `kept`. Unknown paths under /assets are a 404.
 */
export function assets({ bundle, kept = null }: AssetsOptions): Koa.Middleware {
  if (bundle.development !== null) return bundle.development.middleware;
  const { clientDir } = bundle;
  const files = loaded.get(bundle) ?? loadAssets(bundle);
  loaded.set(bundle, files);
  const others =
    clientDir === null || kept === null
      ? null
      : keepAssets({ ...kept, assetsDir: path.join(clientDir, hashedPrefix) });
  const findKept = async (urlPath: string): Promise<Asset | undefined> => {
    const file = await others?.read(urlPath.slice(hashedPrefix.length));
    return file == null ? undefined : toAsset(urlPath, file);
  };
  return async (ctx, next) => {
    const isHashed = ctx.path.startsWith(hashedPrefix);
    const asset = files.get(ctx.path) ?? (isHashed ? await findKept(ctx.path) : undefined);
    if (asset === undefined && !isHashed) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.status = 405;
      ctx.set('Allow', 'GET, HEAD');
      ctx.body = 'Method Not Allowed';
    } else if (asset === undefined) {
      ctx.status = 404;
      ctx.set('Cache-Control', 'no-store');
      ctx.body = 'Not Found';
    } else {
      send(ctx, asset);
    }
    return undefined;
  };
}

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
