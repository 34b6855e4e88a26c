import { expect, test } from 'vitest';
import { plainFields } from './postPlainForm.ts';

test('a plain form carries everything the script sends, nested values as JSON', () => {
  const attribution = { last: { utm_source: 'x' } };
  const input = {
    email: 'a@example.com',
    acceptance_consent: true,
    providerId: 7,
    attribution,
    token: undefined,
  };
  expect(plainFields(input, 'key-1')).toEqual({
    email: 'a@example.com',
    acceptance_consent: 'true',
    providerId: '7',
    attribution: JSON.stringify(attribution),
    idempotency_key: 'key-1',
  });
});
