import { expect, test } from 'vitest';
import { meets } from '#test/support/meets.ts';
import { leadFieldFaults } from './leadFields.ts';
import { groupedPhone, phoneDigits, phoneE164, storedPhone } from './phone.ts';

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

test.each(['3035550142', ' 303-555-0142', '303.555.0142', '(303)555 0142', '1 303 555 0142', '13035550142'])(
  'a plain American number is grouped: %j',
  (typed) => {
    expect(groupedPhone(typed)).toBe('(303) 555-0142');
  },
);

test.each([
  ...['+1 303 555 0142', '+44 20 7946 0958', '011 44 20 7946 0958', '030 5550142', '303 155 0142'],
  ...['303 555 0142 x5', '303-555-0142 after 5', '3035550142 or 3035550143', '30355501423', '303555014', ''],
])('any other phone number stays as typed: %j', (typed) => {
  expect(groupedPhone(typed)).toBe(typed);
});
