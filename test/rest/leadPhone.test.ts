import { expect, test } from 'vitest';
import { leadInput } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { testApp } from '#test/support/testApp.ts';

test('a phone with long punctuation is accepted, and stored with all its digits', async () => {
  meets('D.leads.23');
  await using app = await testApp();
  const phone = '3035550100'.split('').join(' '.repeat(500));
  expect((await app.post('/api/leads', leadInput({ phone }))).status).toBe(201);
  const rows = await app.sql`select phone, phone_e164 from leads`;
  expect([...rows]).toEqual([
    { phone: '3035550100'.split('').join(' '.repeat(5)), phone_e164: '+13035550100' },
  ]);
});
