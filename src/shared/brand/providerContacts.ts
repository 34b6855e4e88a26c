/** Words among a clinic's own contacts, wherever they are shown. */
export const clinicContacts = { website: 'Visit Website' } as const;
