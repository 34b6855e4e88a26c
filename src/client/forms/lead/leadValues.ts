import { consentRequired, type LeadField, leadFieldErrors } from '#shared/leads/leadFields.ts';
import { fieldsInOrder, type LeadFieldErrors } from './fieldMessages.ts';

/** What a visitor entered and was shown, ready to send; consent may still be missing. */
export type LeadValues = Record<LeadField, string> & {
  acceptance_consent: boolean;
  acceptance_message: string;
  website: string;
  /** The clinic named beside the box; empty where none was. */
  seller_shown: string;
};

/** Values that may be sent: consent was given, by the visitor and nobody else. */
export type ConsentedValues = LeadValues & { acceptance_consent: true };

function text(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
}

/** Reads the form itself, not React state: autofill and page translation change inputs without telling React. */
export function readLeadValues(data: FormData): LeadValues {
  return {
    first_name: text(data, 'first_name'),
    last_name: text(data, 'last_name'),
    email: text(data, 'email'),
    phone: text(data, 'phone'),
    zip_code: text(data, 'zip_code'),
    acceptance_consent: data.has('acceptance_consent'),
    acceptance_message: text(data, 'acceptance_message'),
    website: text(data, 'website'),
    seller_shown: text(data, 'seller_shown'),
  };
}

/** Every message at once, in the order of the fields; empty when the form may be sent. */
export function leadFormErrors(values: LeadValues): LeadFieldErrors {
  const errors: LeadFieldErrors = leadFieldErrors(values);
  if (!values.acceptance_consent) errors.acceptance_consent = consentRequired;
  return errors;
}

/** An edit takes the edited field's message away unless that very message still holds; it never brings a new one. */
export function errorsAfterEdit(
  shown: LeadFieldErrors,
  edited: string,
  now: LeadFieldErrors,
): LeadFieldErrors {
  const field = fieldsInOrder.find((name) => name === edited);
  if (field === undefined || shown[field] === undefined || shown[field] === now[field]) return shown;
  const { [field]: _gone, ...rest } = shown;
  return rest;
}
