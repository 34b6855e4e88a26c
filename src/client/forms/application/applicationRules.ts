import { type FormRules, textIn } from '#client/forms/enhanceForm.ts';
import type { FieldErrors } from '#client/forms/formSession.ts';
import {
  applicationConsentRequired,
  type ApplicationField,
  applicationFieldErrors,
  applicationFields,
} from '#shared/applications/applicationFields.ts';
import type { ApplicationCreateInput } from '#shared/applications/applications.ts';
import { honeypotName } from '#shared/leads/quarantine.ts';

/** What an applicant entered and was shown. Consent may still be missing. */
type ApplicationValues = Record<ApplicationField, string> & {
  acceptance_consent: boolean;
  acceptance_message: string;
  [honeypotName]: string;
};

function readApplication(data: FormData): ApplicationValues {
  return {
    practice_name: textIn(data, 'practice_name'),
    contact_name: textIn(data, 'contact_name'),
    role: textIn(data, 'role'),
    email: textIn(data, 'email'),
    phone: textIn(data, 'phone'),
    zip_code: textIn(data, 'zip_code'),
    website: textIn(data, 'website'),
    message: textIn(data, 'message'),
    acceptance_consent: data.has('acceptance_consent'),
    acceptance_message: textIn(data, 'acceptance_message'),
    [honeypotName]: textIn(data, honeypotName),
  };
}

function applicationErrors(values: ApplicationValues): FieldErrors {
  const errors: FieldErrors = applicationFieldErrors(values);
  return values.acceptance_consent ? errors : { ...errors, acceptance_consent: applicationConsentRequired };
}

/** How the application form is read, checked and sent. */
export const applicationRules: FormRules<ApplicationValues, ApplicationCreateInput, null> = {
  read: readApplication,
  findErrors: applicationErrors,
  toInput: (values, token) => ({ ...values, token }),
  buildFingerprint: (values) =>
    JSON.stringify([...applicationFields.map((name) => values[name]), values.acceptance_consent]),
  loadApi: async () => (await import('./applicationApi.ts')).applicationApi,
};
