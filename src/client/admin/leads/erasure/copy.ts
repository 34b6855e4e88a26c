import type { ErasureReason, PersonLead } from '#shared/admin/erasure.ts';

export const personCopy = {
  title: 'The person',
  note: 'All data stored for this person, matched by email, mailbox and phone.',
  export: 'Export this person’s data',
  erase: 'Erase this person…',
  eraseTitle: (id: number) => `Erase the person in lead #${id}`,
  exportTitle: (id: number) => `Export the data of the person in lead #${id}`,
  download: 'Download',
  loading: 'Looking for the person’s leads…',
  leads: (count: number) =>
    count === 1
      ? 'This is this person’s only lead.'
      : `${count} leads have the same email, mailbox or phone.`,
  whose: 'Which of these leads are from this person?',
  foundBy: {
    email: 'Same email',
    phone: 'Phone matches only',
    mailbox: 'Same mailbox, other spelling',
    former: 'Email corrected since',
  } satisfies Record<PersonLead['foundBy'], string>,
  standing: {
    kept: null,
    deleted: 'Deleted',
    purged: 'Deleted (consent evidence kept)',
  } satisfies Record<PersonLead['standing'], string | null>,
  hints: {
    phone: 'Phone numbers can be shared. Leads that match by phone only are included when you check them.',
    mailbox:
      'Another spelling, such as a plus tag, usually leads to the same mailbox, but not everywhere. Such leads are included when you check them.',
    former:
      'Some leads had this email address until staff corrected it. They are probably another person’s, and included when you check them.',
  },
  consequences: [
    'Name, email, phone, address, attribution and answers are permanently deleted. This can’t be undone.',
    'Nobody contacts this person again, and unsent deliveries are canceled. A phone number that a lead left out of this also has is not stopped: it becomes a task.',
    'Each provider, CRM and integration that has the details is asked to erase them. The request contains only the lead’s number.',
    'Consent hashes and an anonymous record of each lead are kept.',
  ],
  reason: 'Reason',
  reasons: {
    asked: 'The person requested it',
    'asked-for': 'Someone requested it for the person',
    authority: 'An authority requested it',
    'not-needed': 'The data is no longer needed',
    mistake: 'The data was collected by mistake',
  } satisfies Record<ErasureReason, string>,
  confirmation: (id: number) => `Type ${id} to confirm`,
  confirm: 'Erase permanently',
  done: (count: number) => (count === 1 ? '1 lead erased' : `${count} leads erased`),
  findFailed: 'Failed to find the person’s leads',
  erased: 'Person erased',
  erasedNotice: (when: string) =>
    `The person was erased on ${when}. Only consent hashes and this history are kept.`,
} as const;

/** The file with all data about the person of a lead, including the given leads that don't share the email address. */
export function personFileHref(
  leadId: number,
  chosen: Record<'samePhone' | 'sameMailbox', readonly number[]>,
): string {
  const query = Object.entries(chosen)
    .filter(([, ids]) => ids.length > 0)
    .map(([name, ids]) => `${name}=${ids.join(',')}`)
    .join('&');
  return `/api/persons/${leadId}.json${query === '' ? '' : `?${query}`}`;
}
