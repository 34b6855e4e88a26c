import type { Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type Koa from 'koa';
import type { PageKind } from '#shared/pages/pages.ts';
import type { PageLinks } from './document.ts';
import { earlyLinks } from './earlyLinks.ts';
import { type Manifest, manifestSchema } from './manifest.ts';
import { isRenderer, type Renderer } from './renderer.ts';

/** What was built: the renderer is in memory, files are under `clientDir`. */
export interface BuiltBundle {
  development: null;
  clientDir: string;
  renderer: Renderer;
  links: (kind: PageKind) => PageLinks;
  close: () => Promise<void>;
}

/** Vite at work: modules are made when asked for and replaced while the page is open. */
export interface DevelopmentBundle {
  development: {
    middleware: Koa.Middleware;
    loadRenderer: () => Promise<Renderer>;
    /** As last loaded; null before the first page. */
    loadedRenderer: () => Renderer | null;
    /** Adds what hot reload needs to a page. */
    transformHtml: (url: string, html: string) => Promise<string>;
  };
  clientDir: null;
  links: (kind: PageKind) => PageLinks;
  close: () => Promise<void>;
}

export type Bundle = BuiltBundle | DevelopmentBundle;

const entrySource = 'src/client/app/entryClient.tsx';
const favicon = '/favicon.svg';
const root = path.resolve(import.meta.dirname, '../../..');

/** Loads what `scripts/build.ts` made, or starts Vite on the given server (same port, hot reload included). */
export async function loadBundle({ development }: { development?: Server } = {}): Promise<Bundle> {
  return development === undefined
    ? loadBuilt()
    : (await import('./developmentBundle.ts')).startDevelopment(development, root, favicon);
}

async function loadBuilt(): Promise<BuiltBundle> {
  const clientDir = path.join(root, 'dist/client');
  const manifest = manifestSchema.parse(
    JSON.parse(await readFile(path.join(clientDir, '.vite/manifest.json'), 'utf8')),
  );
  const renderer: unknown = await import(pathToFileURL(path.join(root, 'dist/server/entryServer.js')).href);
  if (typeof renderer !== 'object' || renderer === null || !isRenderer(renderer)) {
    throw new Error('src/client/app/entryServer.tsx does not export what the server renders with');
  }
  return {
    development: null,
    clientDir,
    renderer,
    links: (kind) => pageLinks(manifest, kind),
    close: () => Promise.resolve(),
  };
}

/** A source and everything it imports statically, added to what was seen before. */
function withImports(manifest: Manifest, source: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[source];
  if (chunk === undefined || seen.has(source)) return seen;
  seen.add(source);
  for (const imported of chunk.imports) withImports(manifest, imported, seen);
  return seen;
}

/** A page's component, which is named after its kind. One component shows both kinds of missing pages. */
function pageSource(kind: PageKind): string {
  const name = kind === 'providerNotFound' ? 'notFound' : kind;
  return `src/client/pages/${name.slice(0, 1).toUpperCase()}${name.slice(1)}Page.tsx`;
}

/** What a page loads, from Vite's manifest. Throws for a page without a chunk of its own. */
export function pageLinks(manifest: Manifest, kind: PageKind): PageLinks {
  const entry = manifest[entrySource];
  const source = pageSource(kind);
  if (entry === undefined) throw new Error(`${entrySource} is not in the build's manifest`);
  if (manifest[source] === undefined) throw new Error(`${source} is not in the build's manifest`);
  const sources = withImports(manifest, source, withImports(manifest, entrySource));
  const chunks = [...sources].flatMap((found) => manifest[found] ?? []);
  return {
    script: `/${entry.file}`,
    modulePreloads: [...new Set(chunks.map(({ file }) => `/${file}`))].filter(
      (file) => file !== `/${entry.file}`,
    ),
    early: earlyLinks(manifest, kind),
    favicon,
  };
}
