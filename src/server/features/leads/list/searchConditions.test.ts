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
