import { leadLimits } from '#shared/leads/leadFieldTable.ts';

/** What a lead form says about fields that are missing or invalid. The API answers with the same sentences. */
export const leadMessages = {
  fields: {
    first_name: {
      required: 'First name is required',
      tooLong: `First name must be at most ${leadLimits.nameLengthMax} characters`,
    },
    last_name: {
      required: 'Last name is required',
      tooLong: `Last name must be at most ${leadLimits.nameLengthMax} characters`,
    },
    email: { required: 'Email is required', invalid: 'Invalid email format' },
    phone: { required: 'Phone number is required', invalid: 'Phone number must have 10 to 15 digits' },
    zip_code: { required: 'Zip code is required' },
  },
  consentRequired: 'You must agree to receive communications to continue.',
} as const;
