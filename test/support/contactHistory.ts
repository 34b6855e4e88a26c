import type { ContactHistory } from '#server/features/outbox/types.ts';

/** Of a lead that shares its contact with no other. */
export const noOtherContacts: ContactHistory = {
  hasNewer: () => Promise.resolve(false),
  findNewer: () => Promise.resolve(null),
  isWaiting: () => Promise.resolve(false),
};
