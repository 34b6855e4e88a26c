import { expect, test } from 'vitest';
import { meets } from '#test/support/meets.ts';
import { leadMessages } from '../brand/leadMessages.ts';
import { cleanLeadField, cleanText, leadFieldErrors, leadFieldFaults } from './leadFields.ts';
import { leadCreateSchema } from './leads.ts';

test.each([
  ['  Kit  ', 'Kit'],
  ['\u200bKit\ufeff\u200b ', 'Kit'],
  ['\u202eKit\u202c', 'Kit'],
  ['A\0B\tC\r\nD', 'A B C D'],
  ['\ud800x', '\ufffdx'],
  ['שרה', 'שרה'],
  ['👩‍⚕️ Kit ❤️', '👩‍⚕️ Kit ❤️'],
])('%j is kept as %j', (typed, kept) => {
  meets('D.leads.17');
  expect(cleanText(typed)).toBe(kept);
});

test.each([
  ['Ki\u00adt', 'Kit'],
  ['Vera\u202elpmaxe live', 'Veralpmaxe live'],
  ['\u3164Kit \u115f', 'Kit'],
  ['\u200b \u2060\ufe0f\u3164', ''],
  ['A\u200c\u200dB', 'AB'],
  ['Zoë', 'Zoë'],
])('the name %j is stored as %j: others see all of it', (typed, stored) => {
  for (const field of ['first_name', 'last_name'] as const) {
    expect(cleanLeadField(field, typed)).toBe(stored);
    const schema = leadCreateSchema(leadMessages).shape[field];
    expect(schema.safeParse(typed)).toMatchObject(stored === '' ? { success: false } : { data: stored });
  }
});

test('a name of 100 characters is accepted, and one of 101 is not', () => {
  meets('D.leads.18 D.leads.19');
  expect(leadFieldFaults.name('é'.repeat(100))).toBeNull();
  expect(leadFieldFaults.name('é'.repeat(101))).not.toBeNull();
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
  expect(leadFieldErrors(values, leadMessages)).toEqual({
    first_name: leadMessages.fields.first_name.required,
    last_name: leadMessages.fields.last_name.required,
    email: leadMessages.fields.email.required,
    phone: leadMessages.fields.phone.required,
    zip_code: leadMessages.fields.zip_code.required,
  });
});

test.each([
  'kit@example.com',
  "o'hara+tag@mail.example.co.uk",
  'kit@bücher.example',
  'k@e.co',
  'kit.o’brien@example.com',
  'ｋｉｔ＠ｅｘａｍｐｌｅ．ｃｏｍ',
  'kit@example.com.',
  'kit@example.com,',
  `${'a'.repeat(241)}@mail.example`,
])('%s is an email address', (email) => {
  meets('D.leads.21');
  expect(leadFieldFaults.email(email)).toBeNull();
});

test.each([
  'kit',
  'kit@example',
  'kit@example..com',
  'kit@.com',
  '@example.com',
  'kit@example.com..',
  'a b@example.com',
  'kit@example.c',
  `${'a'.repeat(250)}@b.co`,
])('%s is none', (email) => {
  meets('D.leads.20');
  expect(leadFieldFaults.email(email)).toBe('invalid');
});

test('the messages of a brand are those of its forms and its API', () => {
  const messages = {
    fields: {
      first_name: { required: 'Who are you?' },
      last_name: { required: 'And your family name?', tooLong: 'Too long' },
      email: { required: 'Your email?', invalid: 'Not an email' },
      phone: { required: 'Your phone?', invalid: 'Not a phone number' },
      zip_code: { required: 'Your ZIP?' },
    },
    consentRequired: 'Please agree',
  };
  const values = { first_name: '', last_name: 'x'.repeat(101), email: 'kit', phone: '1', zip_code: '' };
  const expected = {
    first_name: 'Who are you?',
    last_name: 'Too long',
    email: 'Not an email',
    phone: 'Not a phone number',
    zip_code: 'Your ZIP?',
  };
  expect(leadFieldErrors(values, messages)).toEqual(expected);
  const { error } = leadCreateSchema(messages).safeParse({ ...values, acceptance_consent: false });
  const found = Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path[0], message]));
  expect(found).toEqual({ ...expected, acceptance_consent: 'Please agree' });
});
