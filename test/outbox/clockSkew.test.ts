import { expect, test } from 'vitest';
import { leadInput } from '#test/support/factories.ts';
import { formToken } from '#test/support/formToken.ts';
import { meets } from '#test/support/meets.ts';
import { testApp } from '#test/support/testApp.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';

const dayMs = 86_400_000;

async function deliveryStates({ sql }: TestDb): Promise<unknown[]> {
  return (await sql`select state from deliveries where channel = 'lead-email'`).map(
    ({ state }) => state as unknown,
  );
}

/** A machine with a clock that is off by `ms`. */
function skewed(ms: number): { systemNowMs: () => number } {
  return { systemNowMs: () => Date.now() + ms };
}

test.each([
  ['the process that stores the lead', 'a day ahead', dayMs, 0],
  ['the process that stores the lead', 'a day behind', -dayMs, 0],
  ['the worker', 'a day ahead', 0, dayMs],
  ['the worker', 'a day behind', 0, -dayMs],
])('with the clock of %s %s, a lead is delivered immediately', async (_, __, webMs, workerMs) => {
  await using database = await testDb();
  await using web = await testApp({ database, ...skewed(webMs) });
  await using worker = await testApp({ database, worker: { pollMs: 50 }, ...skewed(workerMs) });
  expect(worker.url).not.toBe(web.url);
  const lead = leadInput({ form: 'landing', token: formToken('landing') });
  expect((await web.post('/api/leads', lead)).status).toBe(201);
  await expect.poll(() => deliveryStates(database)).toEqual(['delivered']);
  const [stored] = await database.sql<{ age: number }[]>`
    select abs(extract(epoch from now() - created_at))::float8 as age from leads`;
  expect(stored?.age).toBeLessThan(60);
});

test('a retry is due by the database’s clock, not by the worker’s', async () => {
  meets('D.leads.08');
  await using database = await testDb();
  const crm = { CRM_WEBHOOK_URL: 'http://127.0.0.1:9/', CRM_WEBHOOK_SECRET: `whsec_${'A'.repeat(44)}` };
  await using web = await testApp({ database, env: crm, worker: { pollMs: 50 }, ...skewed(dayMs) });
  expect((await web.post('/api/leads', leadInput())).status).toBe(201);
  const waits = async (): Promise<unknown[]> =>
    (
      await database.sql<{ near: boolean }[]>`
        select abs(extract(epoch from next_attempt_at - now())) < 600 as near from deliveries where channel = 'crm' and attempts > 0`
    ).map(({ near }) => near);
  await expect.poll(waits).toEqual([true]);
});
