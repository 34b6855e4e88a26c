import { expect, test } from 'vitest';
import { leadInput } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { toProblem } from '#test/support/problem.ts';
import { testApp } from '#test/support/testApp.ts';

test('two processes share the limits of leads; the refusal is a 429 with Retry-After', async () => {
  meets('D.people.19 D.leads.89 D.errors.14');
  const env = { RATE_LIMIT_LEADS: '4/1m,20/1h' };
  await using one = await testApp({ env });
  await using two = await testApp({ env, database: one.database });
  const first = await one.post('/api/leads', leadInput());
  expect(first.headers['ratelimit-policy']).toBe('"1m";q=2;w=60, "1h";q=10;w=3600');
  expect(first.headers['ratelimit']).toMatch(/^"1m";r=1;t=\d+, "1h";r=9;t=\d+$/);
  expect((await two.post('/api/leads', leadInput())).status).toBe(201);
  const refused = await one.post('/api/leads', leadInput());
  expect(toProblem(refused).status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.headers['ratelimit']).toMatch(/^"1m";r=0;t=\d+$/);
  const trpc = await two.post('/trpc/leads.create', leadInput());
  expect([trpc.status, trpc.headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  expect(await one.sql`select from leads`).toHaveLength(2);
});
