import { expect, test } from 'vitest';
import { cleanText, leadFieldErrors, leadFieldRules } from './leadFields.ts';

test.each([
  ['  Kit  ', 'Kit'],
  ['\u200bKit\ufeff\u200b ', 'Kit'],
  ['\u202eKit\u202c', 'Kit'],
  ['A\0B\tC\r\nD', 'A B C D'],
  ['\ud800x', '\ufffdx'],
  ['שרה', 'שרה'],
  ['👩‍⚕️ Kit ❤️', '👩‍⚕️ Kit ❤️'],
])('%j is kept as %j', (typed, kept) => {
  expect(cleanText(typed)).toBe(kept);
});

test('a name of 100 characters is accepted, and one of 101 is not', () => {
  for (const field of ['first_name', 'last_name'] as const) {
    expect(leadFieldRules[field]('é'.repeat(100))).toBeNull();
    expect(leadFieldRules[field]('é'.repeat(101))).not.toBeNull();
  }
});

test('a long run of spaces costs no more than its length', () => {
  // Were it looked at from every one of its spaces, this would take hours.
  expect(cleanText(`a${' '.repeat(2_000_000)}b`)).toHaveLength(2_000_002);
});

test('what cannot be seen is nothing: every field is required', () => {
  const nothing = '\u200b \u2060\t';
  const values = {
    first_name: nothing,
    last_name: nothing,
    email: nothing,
    phone: nothing,
    zip_code: nothing,
  };
  expect(leadFieldErrors(values)).toEqual({
    first_name: 'First name is required',
    last_name: 'Last name is required',
    email: 'Email is required',
    phone: 'Phone number is required',
    zip_code: 'Zip code is required',
  });
});

test.each(['kit@example.com', "o'hara+tag@mail.example.co.uk", 'kit@bücher.example', 'k@e.co', `${'a'.repeat(241)}@mail.example`])(
  '%s is an e-mail address',
  (email) => {
    expect(leadFieldRules.email(email)).toBeNull();
  },
);

test.each([
  'kit',
  'kit@example',
  'kit@example..com',
  'kit@.com',
  '@example.com',
  'kit@example.com.',
  'a b@example.com',
  'kit@example.c',
  `${'a'.repeat(250)}@b.co`,
])('%s is none', (email) => {
  expect(leadFieldRules.email(email)).toBe('Invalid email format');
});
