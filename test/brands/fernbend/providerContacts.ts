/** Words among a clinic's own contacts, wherever they are shown. */
export const providerContacts = { website: 'Visit Website' } as const;
