import { expect, test } from 'vitest';
import { firstWrongField, knownFieldErrors } from './fieldMessages.ts';
import { errorsAfterEdit, leadFormErrors, readLeadValues } from './leadValues.ts';

function formData(entries: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(entries)) data.set(name, value);
  return data;
}

const complete = {
  first_name: 'Ada',
  last_name: 'Vale',
  email: 'ada@example.com',
  phone: '(303) 555-0142',
  zip_code: '80202',
  acceptance_consent: 'true',
  acceptance_message: 'I consent.',
  website: '',
};

test('an empty form is told everything that is missing, in the specified words', () => {
  expect(leadFormErrors(readLeadValues(new FormData()))).toEqual({
    first_name: 'First name is required',
    last_name: 'Last name is required',
    email: 'Email is required',
    phone: 'Phone number is required',
    zip_code: 'Zip code is required',
    acceptance_consent: 'You must agree to receive communications to continue.',
  });
});

test('a complete form has no errors, and the server gets what was typed', () => {
  const values = readLeadValues(formData(complete));
  expect(leadFormErrors(values)).toEqual({});
  expect(values).toEqual({ ...complete, seller_shown: '', acceptance_consent: true });
});

test('spaces alone do not count as an answer', () => {
  expect(leadFormErrors(readLeadValues(formData({ ...complete, first_name: '   ' })))).toEqual({
    first_name: 'First name is required',
  });
});

test.each(['ada', 'ada@', 'ada@example', 'a b@example.com'])('%j is an invalid email format', (email) => {
  expect(leadFormErrors(readLeadValues(formData({ ...complete, email })))).toEqual({
    email: 'Invalid email format',
  });
});

test('the first wrong field is the topmost, whatever order the messages came in', () => {
  expect(firstWrongField({ acceptance_consent: 'a', zip_code: 'b', email: 'c' })).toBe('email');
  expect(firstWrongField({ acceptance_consent: 'a' })).toBe('acceptance_consent');
  expect(firstWrongField({})).toBeNull();
});

test('of a server’s messages only those of shown fields are taken', () => {
  expect(knownFieldErrors({ email: 'Invalid email format', token: 'x', phone: 5 })).toEqual({
    email: 'Invalid email format',
  });
});

test('an edit removes the edited field’s message once it no longer holds', () => {
  const shown = { email: 'Email is required', phone: 'Phone number is required' };
  expect(errorsAfterEdit(shown, 'email', { email: 'Invalid email format' })).toEqual({
    phone: 'Phone number is required',
  });
});

test('an edit never brings a message, nor touches another field’s', () => {
  const shown = { phone: 'Phone number is required' };
  expect(errorsAfterEdit(shown, 'email', { email: 'Invalid email format' })).toEqual(shown);
  expect(errorsAfterEdit(shown, 'phone', { phone: 'Phone number is required' })).toEqual(shown);
  expect(errorsAfterEdit(shown, 'website', {})).toEqual(shown);
});
