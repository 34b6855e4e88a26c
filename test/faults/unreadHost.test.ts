import { expect, test, vi } from 'vitest';
import { testApp } from '#test/support/testApp.ts';
import { testDb } from '#test/support/testDb.ts';
import { databaseLink } from '../tenancy/databaseLink.ts';

test('during an outage, a provider’s host that was never read gets a 503, which is logged', async () => {
  await using database = await testDb();
  await using link = await databaseLink(database.url);
  await using app = await testApp({ database, url: link.url(database.url) });
  // With so many providers, a record is read when its host is first requested.
  await database.sql`
    insert into providers (name, zip_code, email, domain)
    select 'Clinic ' || n, '80202', 'c' || n || '@example.com', 'unread-' || n || '.example.com'
    from generate_series(1, 2500) n`;
  const unread = 'unread-2500.example.com';
  await app.knows(unread);
  const warned = vi.spyOn(app.services.log, 'warn');
  link.lead('postgres://127.0.0.1:9');
  link.thaw();
  const { status, headers } = await app.as(unread).get('/');
  expect([status, headers['retry-after']]).toEqual([503, '5']);
  expect(warned).toHaveBeenCalledWith(
    expect.objectContaining({ err: expect.anything(), method: 'GET', path: '/' }),
    'unavailable',
  );
});
