import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** The linter of `npm run check`, with the repository's configuration. */
function lint(sql: string): { status: number | null; rules: string[] } {
  const { status, stdout } = spawnSync(
    'npx',
    ['squawk', '--reporter', 'gcc', '--stdin-filepath', '0100_test.sql'],
    {
      input: sql,
      encoding: 'utf8',
    },
  );
  return { status, rules: [...stdout.matchAll(/warning: ([\w-]+)/g)].map(([, rule = '']) => rule) };
}

test.each([
  ['create index leads_zip_idx on leads (zip_code);', 'require-concurrent-index-creation'],
  ['alter table leads add constraint leads_id_check check (id > 0);', 'constraint-missing-not-valid'],
  ['alter table leads alter column zip_code type varchar(10);', 'changing-column-type'],
  ['alter table leads rename column zip_code to zip;', 'renaming-column'],
  ['alter table leads drop column zip_code;', 'ban-drop-column'],
])('the gate refuses %s', (sql, rule) => {
  const { status, rules } = lint(sql);
  expect(rules).toContain(rule);
  expect(status).toBe(1);
});

test.each([
  'alter table leads add column note text;',
  'alter table leads add constraint leads_id_check check (id > 0) not valid;',
  '-- concurrent\ncreate index concurrently if not exists leads_zip_idx on leads (zip_code);',
  '-- batched\nupdate leads set zip5 = zip_code where id in (select id from leads where zip5 is null limit 5000);',
])('the gate accepts %s', (sql) => {
  expect(lint(sql)).toEqual({ status: 0, rules: [] });
});
