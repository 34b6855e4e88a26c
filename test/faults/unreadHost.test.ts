import { expect, test, vi } from 'vitest';
import { testApp } from '#test/support/testApp.ts';
import { testDb } from '#test/support/testDb.ts';
import { meets } from '#test/support/meets.ts';
import { databaseLink } from '../tenancy/databaseLink.ts';

const unread = 'unread-2500.example.com';

/** An application that knows a provider's host and id, has never read its record, and loses its database. */
async function outage() {
  await using opening = new AsyncDisposableStack();
  const database = opening.use(await testDb());
  const link = opening.use(await databaseLink(database.url));
  const app = opening.use(await testApp({ database, url: link.url(database.url) }));
  // With so many providers, a record is read when it is first requested.
  await database.sql`
    insert into providers (name, zip_code, email, domain)
    select 'Clinic ' || n, '80202', 'c' || n || '@example.com', 'unread-' || n || '.example.com'
    from generate_series(1, 2500) n`;
  const [row] = await database.sql<{ id: string }[]>`select id from providers where domain = ${unread}`;
  await app.knows(unread);
  link.lead('postgres://127.0.0.1:9');
  link.thaw();
  const opened = opening.move();
  return { app, id: Number(row?.id), [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

test('in an outage, a provider’s host that was never read gets a 503, which is logged', async () => {
  meets('P8.error.20');
  await using at = await outage();
  const warned = vi.spyOn(at.app.services.log, 'warn');
  const { status, headers } = await at.app.as(unread).get('/');
  expect([status, headers['retry-after']]).toEqual([503, '5']);
  expect(warned).toHaveBeenCalledWith(
    expect.objectContaining({ err: expect.anything(), method: 'GET', path: '/' }),
    'unavailable',
  );
});

test('during an outage, the microsite of an id that was never read gets a 503', async () => {
  meets('P8.error.42');
  await using at = await outage();
  for (const path of ['/', '/microsite']) {
    const { status, headers } = await at.app.get(`${path}?providerId=${at.id}`);
    expect([path, status, headers['retry-after']]).toEqual([path, 503, '5']);
  }
});
