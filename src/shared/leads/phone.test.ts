import { expect, test } from 'vitest';
import { meets } from '#test/support/meets.ts';
import { leadFieldFaults } from './leadFields.ts';
import { phoneDigits, phoneE164, storedPhone } from './phone.ts';

const spaced = Array.from('303555010012345', (digit) => `(${digit})${' . '.repeat(200)}`).join('-');

test.each(['3035550100', '+44 (0)20 7946 0958 12', spaced])(
  'a number of 10 to 15 digits with any punctuation is valid',
  (typed) => {
    meets('D.leads.23');
    expect(leadFieldFaults.phone(typed)).toBeNull();
  },
);

test('a number is stored as typed, a very long text by its digits in 100 characters', () => {
  expect(storedPhone('(303) 555-0142')).toBe('(303) 555-0142');
  const stored = storedPhone(spaced);
  expect(stored.length).toBeLessThanOrEqual(100);
  expect([phoneDigits(stored), phoneE164(stored)]).toEqual([phoneDigits(spaced), phoneE164(spaced)]);
});

test('a cut through a surrogate pair leaves well-formed text', () => {
  const stored = storedPhone(`30355501001+${'📞'.repeat(60)}2`);
  expect([stored.isWellFormed(), phoneDigits(stored)]).toEqual([true, '303555010012']);
});
