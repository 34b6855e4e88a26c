import { readFileSync } from 'node:fs';
import { getTableName, is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { retentionNames, retentionRules } from '#server/config/retention.ts';
import * as schema from '#server/db/schema/index.ts';

const page = readFileSync(new URL('../docs/retention.md', import.meta.url), 'utf8');
const tables = Object.values(schema).filter((value) => is(value, PgTable));

/** The cells of each row of the table after a heading. */
function rowsAfter(heading: string): string[][] {
  const [, after = ''] = page.split(`\n## ${heading}\n`);
  const [section = ''] = after.split('\n## ');
  const lines = section.split('\n').filter((line) => line.startsWith('| `'));
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

test('the page has each period with its default and its floor', () => {
  const documented = rowsAfter('Periods').map(([name, days, floor]) => [name, days, floor]);
  expect(documented).toEqual(
    retentionNames.map((name) => {
      const { defaultDays, floorDays } = retentionRules[name];
      return [`\`${name}\``, String(defaultDays ?? 'off'), String(floorDays)];
    }),
  );
});

test('the page says of every table how long its rows are kept', () => {
  const documented = rowsAfter('Every table').map(([name = '']) => name.replaceAll('`', ''));
  expect(documented.toSorted()).toEqual(tables.map((table) => getTableName(table)).toSorted());
  const kept = rowsAfter('Every table').map(([, how]) => how);
  const named = [...kept.join('\n').matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name);
  for (const name of retentionNames) expect(named).toContain(name);
});

test('a table whose rows go with a lead or a run is deleted with it by its foreign key', () => {
  const parents: Readonly<Record<string, string>> = {
    lead: 'leads',
    run: 'sync_runs',
    delivery: 'deliveries',
  };
  const following = rowsAfter('Every table').flatMap(([name = '', how = '']) => {
    const [, parent = ''] = /\bwith its (lead|run|delivery)\b/.exec(how) ?? [];
    return parent === '' ? [] : [[name.replaceAll('`', ''), parents[parent]] as const];
  });
  expect(following.length).toBeGreaterThan(5);
  for (const [name, parent] of following) {
    const table = tables.find((each) => getTableName(each) === name);
    const keys = table === undefined ? [] : getTableConfig(table).foreignKeys;
    const cascading = keys.filter(({ onDelete }) => onDelete === 'cascade');
    expect([name, cascading.map((key) => getTableName(key.reference().foreignTable))]).toEqual([
      name,
      expect.arrayContaining([parent]),
    ]);
  }
});
