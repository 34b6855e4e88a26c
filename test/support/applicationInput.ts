import type { ApplicationCreateInput } from '#shared/applications/applications.ts';
import { leadInput } from './factories.ts';

/**
 * A script's application of a fictional practice, with an email address and phone that no other call in any test
 * process returns.
 */
export function applicationInput(overrides: Partial<ApplicationCreateInput> = {}): ApplicationCreateInput {
  const { first_name, last_name, email, phone } = leadInput();
  return {
    practice_name: `${last_name} Street Clinic`,
    contact_name: `${first_name} ${last_name}`,
    role: 'Practice manager',
    email,
    phone,
    zip_code: '80202',
    website: 'clinic.example.com',
    message: 'We are open on Saturdays.',
    acceptance_consent: true,
    ...overrides,
  };
}
