import { type ConsentValues, type FormRules, readConsent, textIn } from '#client/forms/enhanceForm.ts';
import type { FieldErrors } from '#client/forms/formSession.ts';
import {
  applicationConsentRequired,
  type ApplicationField,
  applicationFieldErrors,
  applicationFields,
} from '#shared/applications/applicationFields.ts';
import type { ApplicationCreateInput } from '#shared/applications/applications.ts';
import type { SentApplication } from './applicationApi.ts';
import { groupedPhone } from '#shared/leads/phone.ts';
import { buildRecord } from '#shared/formats/records.ts';

type ApplicationValues = Record<ApplicationField, string> & ConsentValues;

function applicationErrors(values: ApplicationValues): FieldErrors {
  const errors: FieldErrors = applicationFieldErrors(values);
  return values.acceptance_consent ? errors : { ...errors, acceptance_consent: applicationConsentRequired };
}

export const applicationRules: FormRules<ApplicationValues, ApplicationCreateInput, SentApplication> = {
  read: (data) => ({ ...buildRecord(applicationFields, (name) => textIn(data, name)), ...readConsent(data) }),
  findErrors: applicationErrors,
  toInput: (values, token) => ({ ...values, token }),
  computeFingerprint: (values) =>
    JSON.stringify([
      ...applicationFields.map((name) => (name === 'phone' ? groupedPhone(values.phone) : values[name])),
      values.acceptance_consent,
    ]),
  loadApi: async () => (await import('./applicationApi.ts')).applicationApi,
};
