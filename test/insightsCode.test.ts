import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadBundle } from '#server/render/bundle.ts';

/** Names that live on in the built code of the charts' library. */
const chartCode = /recharts-/;
const insights = 'src/client/admin/insights/InsightsTab.tsx';

interface Chunk {
  file: string;
  imports?: string[];
}

test('only the insights tab loads the charts’ code', async () => {
  const bundle = await loadBundle();
  if (bundle.development !== null) throw new Error('tests run on what was built');
  const { clientDir } = bundle;
  const toText = (file: string): string => readFileSync(join(clientDir, file), 'utf8');
  const manifest: Record<string, Chunk> = JSON.parse(toText('.vite/manifest.json'));
  /** What a chunk brings with it as soon as it is loaded. */
  const loadedWith = (key: string, found = new Set<string>()): Set<string> => {
    const chunk = manifest[key];
    if (chunk === undefined || found.has(chunk.file)) return found;
    found.add(chunk.file);
    for (const next of chunk.imports ?? []) loadedWith(next, found);
    return found;
  };
  const withCharts = readdirSync(join(clientDir, 'assets'))
    .filter((file) => file.endsWith('.js') && chartCode.test(toText(join('assets', file))))
    .map((file) => `assets/${file}`);
  // The name is still right: the tab brings them.
  expect(withCharts.length).toBeGreaterThan(0);
  expect([...loadedWith(insights)]).toEqual(expect.arrayContaining(withCharts));
  for (const key of Object.keys(manifest)) {
    if (key === insights || withCharts.includes(manifest[key]?.file ?? '')) continue;
    expect([key, [...loadedWith(key)].filter((file) => withCharts.includes(file))]).toEqual([key, []]);
  }
  expect(chartCode.test(toText('../server/entryServer.js'))).toBe(false);
});
