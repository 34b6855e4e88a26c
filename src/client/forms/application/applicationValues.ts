import {
  type ApplicationField,
  applicationFieldErrors,
  type ApplicationFieldOrConsent,
  applicationFields,
} from '#shared/applications/applicationFields.ts';
import { consentRequired } from '#shared/leads/leadFields.ts';

/** What an applicant entered and was shown; consent may still be missing. */
export type ApplicationValues = Record<ApplicationField, string> & {
  acceptance_consent: boolean;
  acceptance_message: string;
  homepage: string;
};

/** Values that may be sent: consent was given, by the applicant and nobody else. */
export type ConsentedApplication = ApplicationValues & { acceptance_consent: true };

export function hasConsent(values: ApplicationValues): values is ConsentedApplication {
  return values.acceptance_consent;
}

export const applicationOrder = [...applicationFields, 'acceptance_consent'] as const;

function text(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
}

export function readApplication(data: FormData): ApplicationValues {
  return {
    practice_name: text(data, 'practice_name'),
    contact_name: text(data, 'contact_name'),
    role: text(data, 'role'),
    email: text(data, 'email'),
    phone: text(data, 'phone'),
    zip_code: text(data, 'zip_code'),
    website: text(data, 'website'),
    message: text(data, 'message'),
    acceptance_consent: data.has('acceptance_consent'),
    acceptance_message: text(data, 'acceptance_message'),
    homepage: text(data, 'homepage'),
  };
}

/** Every message at once; empty when the form may be sent. */
export function applicationErrors(
  values: ApplicationValues,
): Partial<Record<ApplicationFieldOrConsent, string>> {
  const errors: Partial<Record<ApplicationFieldOrConsent, string>> = applicationFieldErrors(values);
  if (!values.acceptance_consent) errors.acceptance_consent = consentRequired;
  return errors;
}
