import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

/** The text of each requirement, by its id. Throws if a line has no id and text, or an id occurs twice. */
export function readRequirements(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of text.trim().split('\n')) {
    const [, id, requirement] = /^([A-Z]\d?\.[a-z]+\.\d+) (.{10,})$/.exec(line) ?? [];
    if (id === undefined || requirement === undefined) throw new Error(`no requirement: ${line}`);
    if (found.has(id)) throw new Error(`twice: ${id}`);
    found.set(id, requirement);
  }
  return found;
}

export const requirements = readRequirements(
  readFileSync(join(root, 'test/conformity/requirements.txt'), 'utf8'),
);

/** The ids that a test file states. */
export function findStatedIds(code: string): string[] {
  return [...code.matchAll(/\bmeets\(\s*(['`])([^'`]*)\1/g)].flatMap(([, , ids = '']) =>
    ids.trim().split(/\s+/),
  );
}

/** The ids that all tests state, also those of golden pages, which a list in a file of its own names. */
export function readStatedIds(): Set<string> {
  const stated = new Set<string>();
  for (const folder of ['src', 'test'])
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }))
      if (/\.test\.tsx?$/.test(file))
        for (const id of findStatedIds(readFileSync(join(root, folder, file), 'utf8'))) stated.add(id);
  return stated;
}
