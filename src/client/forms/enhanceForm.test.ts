import { expect, test } from 'vitest';
import { errorsAfterEdit } from './enhanceForm.ts';
import { firstWithError } from './useFormController.ts';

test('an edit removes the edited field’s message once it no longer applies', () => {
  const shown = { email: 'Email is required', phone: 'Phone number is required' };
  expect(errorsAfterEdit(shown, 'email', { email: 'Invalid email format' })).toEqual({
    phone: 'Phone number is required',
  });
});

test('an edit never adds a message and never changes another field’s', () => {
  const shown = { phone: 'Phone number is required' };
  expect(errorsAfterEdit(shown, 'email', { email: 'Invalid email format' })).toEqual(shown);
  expect(errorsAfterEdit(shown, 'phone', { phone: 'Phone number is required' })).toEqual(shown);
  expect(errorsAfterEdit(shown, 'website', {})).toEqual(shown);
});

test('the first field with an error is the first one shown; unknown fields don’t count', () => {
  const fields = ['email', 'zip_code', 'acceptance_consent'];
  expect(firstWithError(fields, { acceptance_consent: 'a', zip_code: 'b', email: 'c' })).toBe('email');
  expect(firstWithError(fields, { token: 'a', acceptance_consent: 'b' })).toBe('acceptance_consent');
  expect(firstWithError(fields, { token: 'a' })).toBeNull();
});
