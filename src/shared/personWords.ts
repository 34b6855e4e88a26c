import type { ErasureReason } from './persons.ts';

export const personWords = {
  title: 'The person',
  note: 'Everything held about whoever left this lead, by its email address and phone.',
  export: 'Export person’s data',
  erase: 'Erase person…',
  eraseTitle: (id: number) => `Erase the person of lead #${id}`,
  loading: 'Looking for the person’s leads…',
  leads: (count: number) =>
    count === 1
      ? 'This lead is all there is of this person.'
      : `This person left ${count} leads. All are erased:`,
  purged: (count: number) =>
    count === 1
      ? 'One more was purged; its consent evidence is erased too.'
      : `${count} more were purged; their consent evidence is erased too.`,
  consequences: [
    'Name, email, phone, addresses, attribution and answers are gone for good. There is no Undo.',
    'Nobody contacts this person again, and what is still to be sent is cancelled.',
    'Each provider, CRM and integration that had the details is told to erase them, by the lead’s number alone.',
    'Of the consent evidence, sealed hashes stay; of each lead, an empty entry that counts.',
  ],
  reason: 'Reason',
  reasons: {
    asked: 'The person asked for it',
    'asked-for': 'Somebody asked on the person’s behalf',
    authority: 'An authority asked for it',
    'not-needed': 'The data is no longer needed',
    mistake: 'The data was taken by mistake',
  } satisfies Record<ErasureReason, string>,
  confirmation: (id: number) => `Type ${id} to confirm`,
  confirm: 'Erase for good',
  done: (count: number) => (count === 1 ? 'One lead erased' : `${count} leads erased`),
  findFailed: 'Failed to find the person’s leads',
  erased: 'Person erased',
  erasedNotice: (when: string) =>
    `The person was erased on ${when}. Only the hashes of the consent evidence and this history are left.`,
} as const;

/** Where everything held about a lead's author is downloaded. */
export function personFileHref(leadId: number): string {
  return `/api/persons/${leadId}.json`;
}
