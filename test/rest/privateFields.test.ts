import { expect, test } from 'vitest';
import { anonymousRoutes } from '#test/bench/anonymousRoutes.ts';
import { insertProvider } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { testApp } from '#test/support/testApp.ts';

/** The document of the API names the fields that staff and scripts may read. */
const named = '/api/openapi.json';

test('no public response has a provider’s key, email, WordPress id or number of leads', async () => {
  meets('D.admin.32');
  await using app = await testApp();
  const provider = await insertProvider(app.db, {
    id: 1,
    ...{ mpxapi: 'secret-mpxapi', email: 'private@clinic.example', wordpressId: 778_899 },
  });
  await app.knows(provider);
  const found: string[] = [];
  let mentions = 0;
  for (const { route, request } of anonymousRoutes) {
    const { method = 'GET', path, headers = {}, body } = request(0);
    for (const site of [app, app.as(provider)]) {
      const { text } = await site.request(method, path, {
        headers,
        ...(body === undefined ? {} : { body }),
      });
      if (text.includes(provider.practiceName ?? provider.name)) mentions += 1;
      if (/secret-mpxapi|private@clinic|\b778899\b/.test(text)) found.push(`${route}: a value`);
      if (path !== named && /"(?:mpxapi|wordpress_?id|lead_?count)"/i.test(text))
        found.push(`${route}: a field`);
    }
  }
  expect(found).toEqual([]);
  expect(anonymousRoutes.length).toBeGreaterThan(40);
  expect(mentions).toBeGreaterThan(10);
});
