// Apart from the schema, so that the form's page loads no zod.

/** The form's name in render tokens. */
export const problemFormKey = 'problem';

export const problemLimits = { whatLengthMax: 2000, contactLengthMax: 254 } as const;

/** The typed fields, in the order of display. */
export const problemFields = ['what', 'claim', 'contact'] as const;
