import { expect, test } from 'vitest';
import { deliveryListInput } from '#shared/admin/adminDeliveries.ts';
import { deliveryAttempts } from '#server/db/schema/index.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { insertDelivery, setUpDeliveries } from '#test/support/outboxSetup.ts';
import { listDeliveries } from '../../deliveries/deliveryList.ts';
import { toAnswerText } from '../redact.ts';

test.each([
  ['{"message":"Property \\"zip\\" is not valid"}', 'Property "zip" is not valid'],
  ['{"status":"error","error":"bad key"}', 'bad key'],
  ['{"error":{"message":"No such list","code":4}}', 'No such list'],
  ['{"errors":[{"message":"zip: too short"},{"message":"x"}]}', 'zip: too short'],
  ['{"detail":"Not found."}', 'Not found.'],
  ['{"error":true,"message":"Wrong"}', 'Wrong'],
  // Cut after a kilobyte.
  ['{"status":"error","message":"Property values were not', 'Property values were not'],
  ['{"message":"a\\nb"}', 'a b'],
])('of the answer %j, staff read: %s', (stored, text) => {
  expect(toAnswerText(stored)).toBe(text);
});

test.each([
  '',
  'OK',
  '<html>"message":"x"</html>',
  '{"id":7}',
  '{"message":""}',
  '[]',
  'null',
  '{"message":7}',
])('the answer %j has no sentence', (stored) => {
  expect(toAnswerText(stored)).toBeNull();
});

test('a long sentence is cut to 120 characters, never within a character', () => {
  const text = toAnswerText(JSON.stringify({ message: `${'x'.repeat(118)}😀 and more` }));
  expect(text).toHaveLength(120);
  expect(text?.isWellFormed()).toBe(true);
});

test('the list shows the sentence of the latest refusal, and none once delivered', async () => {
  await using at = await setUpDeliveries();
  const { db } = at.database;
  const lead = await insertLead(db);
  const refused = await insertDelivery(at.database, { leadId: lead.id, state: 'failed', attempts: 2 });
  const delivered = await insertDelivery(at.database, { leadId: lead.id, state: 'delivered', attempts: 1 });
  const attempt = (deliveryId: string, answer: string) => ({
    ...{ deliveryId, leadId: lead.id, channel: 'crm' as const, answer },
    ...{ durationMs: 7, outcome: 'failed' as const },
  });
  const answers = ['{"message":"Busy"}', '{"message":"No such property"}'].map((answer) =>
    attempt(refused, answer),
  );
  await db.insert(deliveryAttempts).values([...answers, attempt(delivered, '{"message":"Busy"}')]);
  const visibility = { withWebhooks: false, withNames: false, reader: { kind: 'token' } };
  const page = await listDeliveries(at.services, { ...deliveryListInput.parse({}), ...visibility });
  const shown = new Map(page.deliveries.map(({ id, answerText }) => [id, answerText]));
  expect([shown.get(refused), shown.get(delivered)]).toEqual(['No such property', null]);
});
