import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Figure } from './figure.ts';
import type { ServerProcess } from '#test/support/serverProcess.ts';

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

/** Reads a page and follows its scripts through the built files. */
export async function initialScripts(address: string): Promise<InitialScripts> {
  const html = await buildPage(new URL(address));
  const found = new Map<string, string>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    const code = readFileSync(join('dist/client', path), 'utf8');
    found.set(path, code);
    for (const match of code.matchAll(/(?:import|export)(?:[^'"();]*?from)?\s*["']\.\/([^"']+\.js)["']/g))
      visit(`/assets/${match[1]}`);
  };
  const [, script = '', chunks = ''] = /<script data-script="([^"]+)" data-chunks="([^"]*)"/.exec(html) ?? [];
  for (const path of [script, ...chunks.split(' ')].filter(Boolean)) visit(path);
  if (found.size === 0) throw new Error(`${address} names no script`);
  return {
    files: [...found.keys()],
    bytes: [...found.keys()].reduce((sum, path) => sum + sentBytes(join('dist/client', path)), 0),
    hasMapCode: [...found.values()].some((code) => code.includes('maplibregl')),
  };
}

/** Node's resolver, unlike a browser's, knows no names under localhost. */
async function buildPage({ host, port, pathname }: URL): Promise<string> {
  const asked = request({ host: '127.0.0.1', port, path: pathname, headers: { host } }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return text(response);
}

/** (e) The landing page's. Its deferred parts, loaded at the first sign of a visitor, are not part of it. */
export async function initialJavaScript(server: ServerProcess): Promise<Figure> {
  const { files, bytes } = await initialScripts(`http://localhost:${server.port}/`);
  return {
    name: 'initial JavaScript of /',
    measured: bytes / 1000,
    baseline: null,
    unit: 'KB brotli',
    against: `${files.length} files, CSS and font apart`,
    bar: { of: 'measured', sign: '<=', value: 95 },
  };
}

/** Small files are sent as they are. */
function sentBytes(file: string): number {
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
}
