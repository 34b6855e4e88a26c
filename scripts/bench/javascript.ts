import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './figure.ts';
import type { ServerProcess } from '#test/support/serverProcess.ts';

/** (e) What the landing page loads of JavaScript before anyone touches it: its module script and everything that one imports statically. */
export async function initialJavaScript(server: ServerProcess): Promise<Figure> {
  const html = await (await fetch(`http://localhost:${server.port}/`)).text();
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    const code = readFileSync(join('dist/client', path), 'utf8');
    for (const match of code.matchAll(/(?:import|export)(?:[^'"();]*?from)?\s*["']\.\/([^"']+\.js)["']/g))
      visit(`/assets/${match[1]}`);
  };
  for (const match of html.matchAll(
    /(?:<script[^>]*\ssrc|<link[^>]*rel="modulepreload"[^>]*\shref)="([^"]+\.js)"/g,
  ))
    visit(match[1] ?? '');
  if (found.size === 0) throw new Error('the landing page names no script');
  const bytes = [...found].reduce((sum, path) => sum + sentBytes(join('dist/client', path)), 0);
  return {
    name: 'initial JavaScript of /',
    measured: bytes / 1000,
    baseline: null,
    unit: 'KB brotli',
    against: `${found.size} files, CSS and font apart`,
    bar: { of: 'measured', sign: '<=', value: 110 },
  };
}

/** Small files are sent as they are. */
function sentBytes(file: string): number {
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
}
