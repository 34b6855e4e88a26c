/** `identity`: keyed hashes of email addresses and phone numbers. `consent-seal`: the HMAC of each seal. */
export const dataKeyPurposes = ['identity', 'consent-seal'] as const;
export type DataKeyPurpose = (typeof dataKeyPurposes)[number];
