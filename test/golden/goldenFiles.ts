import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';

const folder = import.meta.dirname;

/**
 * Where a golden file is, for `toMatchFileSnapshot`. In CI a missing or different file fails; `npm test -- test/golden
 * -u` writes it.
 */
export function goldenFile(name: string): string {
  return join(folder, name);
}

/** Compares each text with the golden file of its name. A file without a text is a failure too. */
export async function expectGoldens(
  subfolder: string,
  suffix: string,
  texts: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, text] of Object.entries(texts))
    await expect(text).toMatchFileSnapshot(goldenFile(join(subfolder, `${name}${suffix}`)));
  // Vitest writes new files at the end of a test file, so only files of earlier runs are listed here.
  const known = (await readdir(goldenFile(subfolder)).catch(() => [])).filter((name) =>
    name.endsWith(suffix),
  );
  expect(known.filter((name) => !(name.slice(0, -suffix.length) in texts))).toEqual([]);
}

export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

const patterns: readonly [RegExp, string][] = [
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'instant'],
];

/**
 * The text with ids and instants numbered in the order in which they occur: `<uuid-1>`. The same value gets the same
 * number, so a golden file shows which values are equal.
 */
export function numbered(text: string): string {
  let result = text;
  for (const [pattern, label] of patterns) {
    const seen = new Map<string, string>();
    result = result.replaceAll(pattern, (value) => {
      const name = seen.get(value) ?? `<${label}-${seen.size + 1}>`;
      seen.set(value, name);
      return name;
    });
  }
  return result;
}
