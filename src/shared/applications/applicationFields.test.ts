import { describe, expect, test } from 'vitest';
import {
  type ApplicationField,
  applicationFieldErrors,
  applicationFields,
  cleanApplicationField,
} from './applicationFields.ts';

const good: Record<ApplicationField, string> = {
  practice_name: 'Juniper Street Clinic',
  contact_name: 'Kit Elmsworth',
  role: 'Owner',
  email: 'kit@example.com',
  phone: '(303) 555-0142',
  zip_code: '80202',
  website: '',
  message: '',
};

describe('an application', () => {
  test('with website and message left empty is fine', () => {
    expect(applicationFieldErrors(good)).toEqual({});
  });

  test.each<[ApplicationField, string, string | undefined]>([
    ['zip_code', ' 80202-1234 ', undefined],
    ['zip_code', '8020', 'Please enter a valid 5-digit zip code'],
    ['zip_code', '', 'Zip code is required'],
    ['website', 'clinic.example.com/about', undefined],
    ['website', 'https://clinic.example.com', undefined],
    ['website', 'our clinic', 'Website must be a web address, such as clinic.example.com'],
    ['website', 'javascript:alert(1)', 'Website must be a web address, such as clinic.example.com'],
    ['website', `clinic.example.com/${'x'.repeat(300)}`, 'Website must be at most 300 characters'],
    ['message', 'x'.repeat(2000), undefined],
    ['message', 'x'.repeat(2001), 'Message must be at most 2000 characters'],
    ['role', '\u200b ', 'Role or credential is required'],
    ['practice_name', '\u3164', 'Practice name is required'],
    ['phone', '555', 'Phone number must have 10 to 15 digits'],
  ])('%s %j: %s', (field, value, message) => {
    expect(applicationFieldErrors({ ...good, [field]: value })).toEqual(
      message === undefined ? {} : { [field]: message },
    );
  });

  test('an empty one gets every message at once', () => {
    const empty = Object.fromEntries(applicationFields.map((field) => [field, '']));
    expect(Object.keys(applicationFieldErrors({ ...good, ...empty }))).toEqual(
      applicationFields.filter((field) => field !== 'website' && field !== 'message'),
    );
  });

  test('a message keeps its lines, another field has none', () => {
    expect(cleanApplicationField('message', ' One\r\nTwo\0\rThree ')).toBe('One\nTwo\nThree');
    expect(cleanApplicationField('role', 'One\nTwo')).toBe('One Two');
  });
});
