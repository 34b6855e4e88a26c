import type { ErasureReason, PersonLead } from '#shared/admin/erasure.ts';

export const personCopy = {
  title: 'The person',
  note: 'Everything held about whoever left this lead, by its email address and phone.',
  export: 'Export person’s data',
  erase: 'Erase person…',
  eraseTitle: (id: number) => `Erase the person of lead #${id}`,
  exportTitle: (id: number) => `Export the person of lead #${id}`,
  download: 'Download',
  loading: 'Looking for the person’s leads…',
  leads: (count: number) =>
    count === 1
      ? 'This lead is all there is of this person.'
      : `${count} leads were found by this one’s email and phone.`,
  whose: 'Which of these are this person’s?',
  foundBy: { email: 'Same email', phone: 'Same phone only' } satisfies Record<PersonLead['foundBy'], string>,
  standing: {
    kept: null,
    deleted: 'Deleted',
    purged: 'Purged, consent evidence left',
  } satisfies Record<PersonLead['standing'], string | null>,
  byPhone:
    'A phone can be shared, and anyone can type it. Leads with the same phone only count as this person’s where they are ticked; the others stay as they are.',
  consequences: [
    'Name, email, phone, addresses, attribution and answers are gone for good. There is no Undo.',
    'Nobody contacts this person again, nor anyone at this phone number, and what is still to be sent is cancelled.',
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

/** The file with all data about the person of a lead, including the given leads that share only the phone. */
export function personFileHref(leadId: number, samePhone: readonly number[]): string {
  const query = samePhone.length === 0 ? '' : `?samePhone=${samePhone.join(',')}`;
  return `/api/persons/${leadId}.json${query}`;
}
