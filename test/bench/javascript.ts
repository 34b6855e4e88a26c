import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { loadBundle, pageSource } from '#server/render/bundle.ts';
import type { PageKind } from '#shared/pages/pages.ts';
import { pageKinds } from '#test/support/everyPage.ts';
import type { Figure } from './figure.ts';

/**
 * What a page loads of JavaScript before anyone touches it: its module script and everything that one imports
 * statically.
 */
export interface InitialScripts {
  files: string[];
  /** As sent, brotli. */
  bytes: number;
  /** Whether any of it is the map library, which belongs to no page's beginning. */
  hasMapCode: boolean;
}

/** The bar of every public page. */
export const initialBytesMax = 95_000;

export const publicKinds = pageKinds.filter((kind) => kind !== 'admin');

/** The bar of a public page in use: its own code, and that of the forms, loaded at a visitor's first sign. */
export const usedBytesMax = 170_000;

/** The bar of the dashboard's page for somebody who isn't signed in. */
export const gateBytesMax = 165_000;

/** The bar of the dashboard, from its page to the first list. Its other parts load while the browser is idle. */
export const dashboardBytesMax = 215_000;

/** Reads a page and follows its scripts through the built files. */
export async function initialScripts(address: string): Promise<InitialScripts> {
  const html = await buildPage(new URL(address));
  const [, script = '', chunks = ''] = /<script data-script="([^"]+)" data-chunks="([^"]*)"/.exec(html) ?? [];
  const found = followImports([script, ...chunks.split(' ')].filter(Boolean));
  if (found.files.length === 0) throw new Error(`${address} names no script`);
  return found;
}

/** The scripts of each public page, as the server names them. */
export async function initialScriptsByKind(): Promise<Map<PageKind, InitialScripts>> {
  const bundle = await loadBundle();
  const found = publicKinds.map((kind) => {
    const { script, modulePreloads } = bundle.links(kind);
    return [kind, followImports([script, ...modulePreloads])] as const;
  });
  return new Map(found);
}

/** The scripts of a public page whose form is in use. */
export async function usedScripts(kind: PageKind): Promise<InitialScripts> {
  const { script } = (await loadBundle()).links(kind);
  const source = pageSource(kind);
  const forms = Object.keys(builtFiles()).filter((built) => built.startsWith('src/client/forms/'));
  if (forms.length === 0) throw new Error('the manifest names no forms');
  const rest = builtFiles()[source]?.dynamicImports?.filter((built) => built.startsWith('src/client/pages/'));
  return followImports([script, ...[source, ...forms, ...(rest ?? [])].map(builtFile)]);
}

/** The scripts of the dashboard's page before somebody signs in. */
export async function gateScripts(): Promise<InitialScripts> {
  const { script, modulePreloads } = (await loadBundle()).links('admin');
  return followImports([script, ...modulePreloads]);
}

/** The scripts of the dashboard behind the gate, with the list of leads. */
export async function dashboardScripts(): Promise<InitialScripts> {
  const { files } = await gateScripts();
  return followImports([...files, builtFile('src/client/admin/shell/Dashboard.tsx')]);
}

/** Chunks that import each other: one of them would run before what it needs. */
export function circularChunks(): string[] {
  const built = builtFiles();
  const reach = (chunk: string, seen = new Set<string>()): Set<string> => {
    for (const imported of built[chunk]?.imports ?? [])
      if (!seen.has(imported)) reach(imported, seen.add(imported));
    return seen;
  };
  return Object.keys(built).filter((chunk) => reach(chunk).has(chunk));
}

interface BuiltFile {
  file: string;
  imports?: string[];
  dynamicImports?: string[];
}

function builtFiles(): Record<string, BuiltFile> {
  return JSON.parse(readFileSync('dist/client/.vite/manifest.json', 'utf8'));
}

function builtFile(source: string): string {
  const built = builtFiles()[source];
  if (built === undefined) throw new Error(`the manifest doesn't name ${source}`);
  return `/${built.file}`;
}

function followImports(paths: readonly string[]): InitialScripts {
  const found = new Map<string, string>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    const code = readFileSync(join('dist/client', path), 'utf8');
    found.set(path, code);
    for (const match of code.matchAll(/(?:import|export)(?:[^'"();]*?from)?\s*["']\.\/([^"']+\.js)["']/g))
      visit(`/assets/${match[1]}`);
  };
  for (const path of paths) visit(path);
  const files = [...found.keys()];
  return {
    files,
    bytes: files.reduce((sum, path) => sum + sentBytes(path), 0),
    hasMapCode: [...found.values()].some((code) => code.includes('maplibregl')),
  };
}

/** Node's resolver, unlike a browser's, knows no names under localhost. */
async function buildPage({ host, port, pathname, search }: URL): Promise<string> {
  const asked = request({ host: '127.0.0.1', port, path: `${pathname}${search}`, headers: { host } }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return text(response);
}

/** (e) Each public page's at first, and once a visitor fills in its form. */
export async function pageJavaScript(): Promise<Figure[]> {
  const figures = [...(await initialScriptsByKind())].map(([kind, scripts]) =>
    scriptFigure(`initial JavaScript of ${kind}`, scripts, initialBytesMax),
  );
  for (const kind of publicKinds)
    figures.push(scriptFigure(`JavaScript of ${kind} in use`, await usedScripts(kind), usedBytesMax));
  return figures;
}

function scriptFigure(name: string, { files, bytes }: InitialScripts, bytesMax: number): Figure {
  return {
    name,
    measured: bytes / 1000,
    baseline: null,
    unit: 'KB brotli',
    against: `${files.length} files, CSS and font apart`,
    bar: { of: 'measured', sign: '<=', value: bytesMax / 1000 },
  };
}

/** As the server sends a built file: small ones are not compressed. */
export function sentBytes(path: string): number {
  const file = join('dist/client', path);
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
}
