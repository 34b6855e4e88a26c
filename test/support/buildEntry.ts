import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { build } from 'vite';

/** Builds a module of test/support that renders into `#root`, and returns its script. */
export async function buildEntry(input: string): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'built-entry-'));
  try {
    await build({
      logLevel: 'warn',
      build: {
        ...{ outDir, emptyOutDir: true, manifest: false },
        // One file, without the site's chunks.
        rolldownOptions: { input, output: { codeSplitting: false } },
      },
    });
    const [file = ''] = (await readdir(join(outDir, 'assets'))).filter((name) => name.endsWith('.js'));
    return await readFile(join(outDir, 'assets', file), 'utf8');
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

/** Serves the script on a page of its own at http://brand.example/. Returns the addresses requested so far. */
export async function serveEntry(
  page: Page,
  script: string,
  answer: (url: URL) => { contentType: string; body: string } | null,
): Promise<string[]> {
  const asked: string[] = [];
  await page.route('**/*', (route) => {
    const url = new URL(route.request().url());
    asked.push(url.href);
    const own = answer(url);
    if (own !== null) return route.fulfill(own);
    if (url.pathname === '/entry.js') return route.fulfill({ contentType: 'text/javascript', body: script });
    if (url.pathname !== '/') return route.fulfill({ status: 404 });
    return route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/entry.js"></script>',
    });
  });
  return asked;
}
