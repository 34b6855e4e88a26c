import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { z } from 'zod';
import type { PageKind } from '#shared/pages/pages.ts';
import type { DevelopmentBundle, DevelopmentSource } from './developmentBundle.ts';
import { type PageLinks, isRenderer, type Renderer } from './document.ts';
import type { RenderMail } from '#shared/mail/mail.ts';

/** The built bundle: the renderer is in memory, the files are in `clientDir`. */
export interface BuiltBundle {
  development: null;
  clientDir: string;
  renderer: Renderer;
  links: (kind: PageKind) => PageLinks;
  close: () => Promise<void>;
}

export type Bundle = BuiltBundle | DevelopmentBundle;

/** What is needed of Vite's manifest: each source's file, static imports and styles. */
const manifestSchema = z.record(
  z.string(),
  z.object({
    file: z.string(),
    imports: z.array(z.string()).default([]),
    css: z.array(z.string()).default([]),
  }),
);

type Manifest = z.output<typeof manifestSchema>;

const entrySource = 'src/client/app/entryClient.tsx';
const favicon = '/favicon.svg';
const root = path.resolve(import.meta.dirname, '../../..');

/** Loads what `scripts/build.ts` built, or connects the given server to Vite (same port, with hot reload). */
export async function loadBundle(development?: DevelopmentSource): Promise<Bundle> {
  return development === undefined
    ? loadBuilt()
    : (await import('./developmentBundle.ts')).startDevelopment(development, favicon);
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
    links: (kind) => pageLinks(manifest, kind, renderer),
    close: () => Promise.resolve(),
  };
}

/** A source with all its static imports, added to those in `seen`. */
function withImports(manifest: Manifest, source: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[source];
  if (chunk === undefined || seen.has(source)) return seen;
  seen.add(source);
  for (const imported of chunk.imports) withImports(manifest, imported, seen);
  return seen;
}

/** The source of a page's component, which is named after its kind. One component shows both kinds of missing pages. */
export function pageSource(kind: PageKind): string {
  const name = kind === 'providerNotFound' ? 'notFound' : kind;
  return `src/client/pages/${name.slice(0, 1).toUpperCase()}${name.slice(1)}Page.tsx`;
}

/** The files that a page loads at first, from Vite's manifest. Throws for a page without a chunk. */
function pageLinks(manifest: Manifest, kind: PageKind, { isDeferred }: Renderer): PageLinks {
  const entry = manifest[entrySource];
  const source = pageSource(kind);
  if (entry === undefined) throw new Error(`${entrySource} is not in the build's manifest`);
  if (manifest[source] === undefined) throw new Error(`${source} is not in the build's manifest`);
  const ofEntry = withImports(manifest, entrySource);
  const sources = isDeferred(kind) ? ofEntry : withImports(manifest, source, ofEntry);
  const chunks = [...sources].flatMap((found) => manifest[found] ?? []);
  return {
    script: `/${entry.file}`,
    modulePreloads: [...new Set(chunks.map(({ file }) => `/${file}`))].filter(
      (file) => file !== `/${entry.file}`,
    ),
    favicon,
  };
}

/** The renderer. In development, of the current sources. */
export async function getRenderer(bundle: Bundle): Promise<Renderer> {
  return bundle.development === null ? bundle.renderer : bundle.development.loadRenderer();
}

export function mailRenderer(bundle: Bundle): RenderMail {
  return async (name, props) => (await getRenderer(bundle)).renderMail(name, props);
}
