/** The texts beside a provider's contacts. */
export const providerContacts = { website: 'Visit Website' } as const;
