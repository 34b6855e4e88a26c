import { beforeAll, expect, test } from 'vitest';
import {
  circularChunks,
  dashboardBytesMax,
  dashboardScripts,
  gateBytesMax,
  gateScripts,
  initialBytesMax,
  initialScriptsByKind,
  type InitialScripts,
  publicKinds,
  sentBytes,
  usedBytesMax,
  usedScripts,
} from '#test/bench/javascript.ts';

let byKind: Map<string, InitialScripts>;
beforeAll(async () => {
  byKind = await initialScriptsByKind();
});

/** Files and their sizes, for a failure. */
function describeFiles({ files }: InitialScripts): string {
  const sizes = files.map((path) => `${path.replace('/assets/', '')}: ${sentBytes(path)}`);
  return sizes.join('\n');
}

test.each(publicKinds)('the first scripts of %s stay below the bar', (kind) => {
  const scripts = byKind.get(kind) ?? { bytes: Infinity, files: [], hasMapCode: false };
  expect(scripts.files).not.toEqual([]);
  expect(scripts.bytes, `${scripts.bytes} bytes\n${describeFiles(scripts)}`).toBeLessThanOrEqual(
    initialBytesMax,
  );
});

test.each(publicKinds)(
  'what %s loads for a visitor who fills in its form stays below its bar',
  async (kind) => {
    const scripts = await usedScripts(kind);
    expect(scripts.bytes, `${scripts.bytes} bytes\n${describeFiles(scripts)}`).toBeLessThanOrEqual(
      usedBytesMax,
    );
  },
);

test('the first scripts of the gate stay below its bar', async () => {
  const scripts = await gateScripts();
  expect(scripts.bytes, `${scripts.bytes} bytes\n${describeFiles(scripts)}`).toBeLessThanOrEqual(
    gateBytesMax,
  );
});

test('no chunks import each other', () => {
  expect(circularChunks()).toEqual([]);
});

test('the first scripts of the dashboard stay below its bar', async () => {
  const scripts = await dashboardScripts();
  expect(scripts.bytes, `${scripts.bytes} bytes\n${describeFiles(scripts)}`).toBeLessThanOrEqual(
    dashboardBytesMax,
  );
});
