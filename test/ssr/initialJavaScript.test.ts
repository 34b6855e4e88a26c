import { beforeAll, expect, test } from 'vitest';
import {
  initialBytesMax,
  initialScriptsByKind,
  type InitialScripts,
  publicKinds,
  sentBytes,
} from '#test/bench/javascript.ts';

let byKind: Map<string, InitialScripts>;
beforeAll(async () => {
  byKind = await initialScriptsByKind();
});

test.each(publicKinds)('the first scripts of %s stay below the bar', (kind) => {
  const { bytes = Infinity, files = [] } = byKind.get(kind) ?? {};
  const sizes = files.map((path) => `${path.replace('/assets/', '')}: ${sentBytes(path)}`);
  expect(files).not.toEqual([]);
  expect(bytes, `${bytes} bytes\n${sizes.join('\n')}\n`).toBeLessThanOrEqual(initialBytesMax);
});
