import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type Koa from 'koa';
import { acceptedEncodings, type Encoding } from './requestHeaders.ts';
import { isUnchanged } from './etag.ts';
import { type BuiltFile, keepAssets } from './keptAssets.ts';
import type { Log } from '../log.ts';

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

/**
 * Every built file by its URL path, with its compressed siblings. Read once at startup: a path that is not in this map
 * is a 404.
 */
function loadAssets(clientDir: string): Map<string, Asset> {
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

interface AssetsOptions {
  bundle: AssetSource;
  /** The folder with other builds' files; without it, only this build's are served. */
  kept?: { folder: string; log: Log } | null;
}

/**
 * Serves the built files from memory by exact path, and hashed files of other builds from `kept`. An unknown path
 * under /assets is a 404, any other continues.
 */
export function assets({ bundle, kept = null }: AssetsOptions): Koa.Middleware {
  if (bundle.development !== null) return bundle.development.middleware;
  const { clientDir } = bundle;
  const files = clientDir === null ? new Map<string, Asset>() : loadAssets(clientDir);
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
