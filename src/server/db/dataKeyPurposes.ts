/**
 * `identity`: keyed hashes of email addresses and phone numbers. `consent-seal`: the HMAC of each seal.
 * `erasure-ledger`: the HMAC of each entry of the erasure ledger.
 */
export const dataKeyPurposes = ['identity', 'consent-seal', 'erasure-ledger'] as const;
export type DataKeyPurpose = (typeof dataKeyPurposes)[number];
