import { expect, test } from 'vitest';
import { messages } from '#shared/brand/messages.ts';
import { startServer } from '#test/support/serverProcess.ts';
import { testDb } from '#test/support/testDb.ts';

test('in development, pages are rendered from the source and reload on changes', async () => {
  await using database = await testDb();
  const env = { DATABASE_URL: database.url, MAP_TILES_URL: 'https://tiles.example/{z}/{x}/{y}.png' };
  await using server = await startServer(env, process.cwd(), ['scripts/dev.ts']);
  const origin = `http://127.0.0.1:${server.port}`;
  const get = async (path: string) => {
    const response = await fetch(`${origin}${path}`);
    const policy = response.headers.get('content-security-policy') ?? '';
    return { response, policy, html: await response.text() };
  };

  const landing = await get('/');
  expect(landing.response.status).toBe(200);
  expect(landing.response.headers.get('cache-control')).toBe('no-store');
  expect(landing.html).toContain('src="/@vite/client"');
  expect(landing.policy).toContain("connect-src 'self' ws: wss:;");
  expect((await get('/map')).policy).toContain("img-src 'self' data: https://tiles.example;");

  const code = await fetch(`${origin}/src/client/app/entryClient.tsx`);
  expect([code.status, code.headers.get('content-type')]).toEqual([200, 'text/javascript']);

  const missing = await get('/no-such-page');
  expect(missing.response.status).toBe(404);
  expect(missing.html).toContain(messages.notFound.title);

  const refused = await fetch(`${origin}/api/leads`, {
    method: 'POST',
    headers: { accept: 'text/html' },
    body: new URLSearchParams({ form: 'landing', first_name: 'Ada', email: 'nowhere' }),
  });
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain('value="nowhere"');
});
