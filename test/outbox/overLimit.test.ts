import { expect, test } from 'vitest';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { formToken } from '#test/support/formToken.ts';
import { meets } from '#test/support/meets.ts';
import { slowness } from '#test/support/slowness.ts';
import { testApp } from '#test/support/testApp.ts';

test('a worker releases and delivers a lead above the limit once the window allows', async () => {
  meets('D.abuse.28');
  // Long enough for two leads and a look at them on this machine.
  const windowSeconds = Math.ceil(8 * slowness);
  await using app = await testApp({ env: { RATE_LIMIT_LEADS: `1/${windowSeconds}s` }, worker: true });
  const provider = await insertProvider(app.db, { zipCode: '80202', email: 'clinic@example.com' });
  const send = () => app.post('/api/leads', leadInput({ form: 'landing', token: formToken('landing') }));
  expect((await send()).status).toBe(201);
  const above = await send();
  expect([above.status, above.json()]).toEqual([201, { id: 2, providerId: provider.id }]);
  const getState = async (): Promise<unknown> => {
    const [lead] = await app.sql`
      select quarantine_reason as reason,
        (select count(*)::int from deliveries where lead_id = leads.id and state = 'delivered') as delivered
      from leads where id = 2`;
    return lead;
  };
  expect(await getState()).toEqual({ reason: 'over-limit', delivered: 0 });
  await expect.poll(getState).toEqual({ reason: null, delivered: 2 });
});
