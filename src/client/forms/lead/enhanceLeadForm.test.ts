import { expect, test } from 'vitest';
import { meets } from '#test/support/meets.ts';
import { leadFormErrors, leadRules, readLeadValues } from './enhanceLeadForm.ts';

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
  leave_empty: '',
};

test('an empty form gets every missing message, in the specified words', () => {
  meets('P5.valid.01 P5.valid.02 P5.valid.03 P5.valid.05 P5.valid.06 P5.valid.11 P5.valid.19');
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
  meets('P5.valid.12');
  const values = readLeadValues(formData(complete));
  expect(leadFormErrors(values)).toEqual({});
  expect(values).toMatchObject({ ...complete, seller_shown: '', acceptance_consent: true });
});

test('spaces do not count as a value', () => {
  expect(leadFormErrors(readLeadValues(formData({ ...complete, first_name: '   ' })))).toEqual({
    first_name: 'First name is required',
  });
});

test.each(['ada', 'ada@', 'ada@example', 'a b@example.com'])('%j is an invalid email format', (email) => {
  meets('P5.valid.04');
  expect(leadFormErrors(readLeadValues(formData({ ...complete, email })))).toEqual({
    email: 'Invalid email format',
  });
});

function rulesFor(providerId: number | null) {
  return leadRules({ form: 'landing', providerId, attribution: undefined });
}

test('a microsite’s lead names its provider, any other lead names none', () => {
  meets('P7.call.21 P7.call.22 P2.micro.16');
  const values = { ...readLeadValues(formData(complete)), acceptance_consent: true } as const;
  expect(rulesFor(12).toInput(values, 'token')).toMatchObject({ providerId: 12, token: 'token' });
  expect(rulesFor(null).toInput(values, 'token')).not.toHaveProperty('providerId');
});

test('the fingerprint covers what visitors can change and the provider, nothing else', () => {
  const values = { ...readLeadValues(formData(complete)), acceptance_consent: true } as const;
  const { computeFingerprint } = rulesFor(null);
  const fingerprint = computeFingerprint(values);
  const names = ['first_name', 'last_name', 'email', 'phone', 'zip_code', 'leave_empty'] as const;
  for (const name of names)
    expect(computeFingerprint({ ...values, [name]: 'changed' })).not.toBe(fingerprint);
  expect(rulesFor(12).computeFingerprint(values)).not.toBe(fingerprint);
  expect(computeFingerprint({ ...values, seller_shown: 'Sample Clinic' })).toBe(fingerprint);
});
