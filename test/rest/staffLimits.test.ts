import { expect, test } from 'vitest';
import { signedIn, getToken } from '#test/support/staff.ts';
import { testApp } from '#test/support/testApp.ts';

test('a token above 300 requests a minute gets 429 with the wait, other callers do not', async () => {
  await using app = await testApp();
  const headers = await getToken(app, ['leads:read']);
  const ask = () => app.get('/api/leads', headers);
  const first = await ask();
  expect([first.status, first.headers['ratelimit-policy'], first.headers['ratelimit']]).toEqual([
    200,
    '"1m";q=300;w=60',
    '"1m";r=299;t=60',
  ]);
  for (let batch = 0; batch < 10; batch++) await Promise.all(Array.from({ length: 30 }, ask));
  const refused = await ask();
  expect([refused.status, refused.json()]).toMatchObject([
    429,
    { error: 'Too many requests. Please try again in a minute.' },
  ]);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.headers['ratelimit']).toMatch(/^"1m";r=0;t=\d+$/);
  expect((await app.get('/api/leads', await getToken(app, ['leads:read']))).status).toBe(200);
  expect((await app.get('/api/providers')).status).toBe(200);
});

test('the limit of a session counts requests of both kinds and files, a batch once', async () => {
  await using app = await testApp({ staffRequestsPerMinute: 3 });
  const headers = await signedIn(app);
  const batch = encodeURIComponent(JSON.stringify({ 0: {}, 1: {}, 2: {} }));
  const paths = [
    `/trpc/admin.leads.worklist,admin.leads.worklist,admin.leads.worklist?batch=1&input=${batch}`,
    '/api/leads',
    '/api/leads.csv',
  ];
  for (const path of paths) expect([path, (await app.get(path, headers)).status]).toEqual([path, 200]);
  for (const path of ['/trpc/admin.leads.worklist', '/api/leads', '/api/leads.csv']) {
    const refused = await app.get(path, headers);
    expect([path, refused.status]).toEqual([path, 429]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers['ratelimit-policy']).toBe('"1m";q=3;w=60');
  }
});
