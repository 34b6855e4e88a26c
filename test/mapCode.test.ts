import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadBundle } from '#server/render/bundle.ts';
import { pageKinds } from './support/everyPage.ts';

/** Names that live on in the built code of the map and its libraries. */
const mapCode = /maplibregl-|GeoJSONSource|TopoJSON|MultiLineString/;

test('no page loads map code before the map is shown, and the server has none', async () => {
  const bundle = await loadBundle();
  if (bundle.development !== null) throw new Error('tests run on what was built');
  const { clientDir } = bundle;
  const toText = (file: string): string => readFileSync(join(clientDir, file), 'utf8');
  for (const kind of pageKinds) {
    const { script, modulePreloads } = bundle.links(kind);
    const loaded = [script, ...modulePreloads].filter((file) => mapCode.test(toText(file)));
    expect([kind, loaded]).toEqual([kind, []]);
  }
  expect(mapCode.test(toText('../server/entryServer.js'))).toBe(false);
  // The names are still right: the map's own chunk has them.
  const manifest: Record<string, { file: string }> = JSON.parse(toText('.vite/manifest.json'));
  expect(mapCode.test(toText(manifest['src/client/map/ProviderMap.tsx']?.file ?? ''))).toBe(true);
});
