import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { leadListInput } from '#shared/admin/adminLeads.ts';
import { insertLeads } from '#test/support/leadRows.ts';
import { testDb } from '#test/support/testDb.ts';
import { listLeads } from './leadList.ts';

describe('a search by name', () => {
  const people = [
    ['ÉMILE', 'O’Brien-Smith'],
    ['José', 'Núñez'],
    ['Søren', 'Łukasz'],
    ['Zoe\u0308', 'D´Angelo'],
    ['Anna', 'Straße'],
    ['Kit', 'Ashgrove, Jr.'],
  ] as const;

  test.each([
    ["o'brien", 'O’Brien-Smith'],
    ['obrien émile', 'O’Brien-Smith'],
    ['O`BRIEN', 'O’Brien-Smith'],
    ['Núñez, José', 'Núñez'],
    ['nunez jose', 'Núñez'],
    ['NU\u0301N\u0303EZ', 'Núñez'],
    ['lukasz soren', 'Łukasz'],
    ['zoë', 'D´Angelo'],
    ['dangelo', 'D´Angelo'],
    ['d’angelo', 'D´Angelo'],
    ['strasse', 'Straße'],
    ['ashgrove,kit', 'Ashgrove, Jr.'],
    ['Ashgrove Jr', 'Ashgrove, Jr.'],
  ])('%j finds %s and nobody else', async (search, lastName) => {
    await using own = await testDb();
    await insertLeads(
      own.db,
      people.map(([firstName, last]) => ({ firstName, lastName: last, email: 'someone@example.com' })),
    );
    const { leads: found, total } = await listLeads(own.db, leadListInput.parse({ search }));
    expect(found.map((lead) => lead.last_name)).toEqual([lastName]);
    expect(total).toBe(1);
  });
});

test('every character is folded as the index has stored it since migration 0022', async () => {
  await using own = await testDb();
  const first = await readFile('migrations/0022_search_function.sql', 'utf8');
  await own.sql.unsafe(first.replace('FUNCTION fold_search', 'FUNCTION fold_search_first'));
  // Only it, among ASCII, and among accents and apostrophes.
  const texts = [`c`, `'a' || c || 'b,'`, `'é’ø' || c || ';' || c`];
  for (const text of texts)
    expect(
      await own.sql.unsafe(`
        select count(*)::int as folded, count(*) filter (where fold_search(t) is distinct from fold_search_first(t)) as others
        from (select ${text} as t from (select chr(code) as c from generate_series(1, 1114111) as code
          where code not between 55296 and 57343) as characters) as texts`),
    ).toEqual([{ folded: 1_112_063, others: '0' }]);
});
