/**
 * The contact fields of every lead form, in the order they are shown and reported. Apart from their rules, which a page
 * needs later.
 */
export const leadFields = ['first_name', 'last_name', 'email', 'phone', 'zip_code'] as const;
export type LeadField = (typeof leadFields)[number];

export const leadLimits = {
  nameLengthMax: 100,
  emailLengthMax: 254,
  /** The stored length. The rest is cut off. */
  zipLengthMax: 32,
  messageLengthMax: 2000,
} as const;
