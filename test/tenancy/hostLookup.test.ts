import { expect, test, vi } from 'vitest';
import { testApp } from '#test/support/testApp.ts';
import { testDb } from '#test/support/testDb.ts';

test('a host whose provider can’t be read gets a 503, and the failure is logged', async () => {
  await using database = await testDb();
  // Of so many providers, the process starts with the hosts, and reads each record at the first visit.
  await database.sql`
    insert into providers (name, zip_code, email, domain)
    select 'Clinic ' || n, '80202', 'clinic@example.com', 'c' || n || '.example.com' from generate_series(1, 2100) n`;
  await using app = await testApp({ database });
  const warn = vi.spyOn(app.services.log, 'warn');
  await app.services.db.$client.end();
  expect((await app.as('c7.example.com').get('/')).status).toBe(503);
  expect(warn.mock.calls).toContainEqual([
    expect.objectContaining({ method: 'GET', path: '/', err: expect.anything() }),
    'unavailable',
  ]);
});
