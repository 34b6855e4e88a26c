import type { SiteContacts } from '#shared/pages/site.ts';
import { brand } from '../brand.ts';
import { longDate } from '#shared/formats/writing.ts';
import type { LegalText } from '#shared/pages/legalText.ts';

/** `today`: the server's ISO date, which the document shows as its own. */
export function refundPolicy(contacts: SiteContacts, today: string): LegalText {
  return {
    title: 'Refunds and Cancellations',
    lastUpdated: longDate(today),
    intro: `Nothing is sold on this site, so ${brand.plainName} has nothing to pay back.`,
    sections: [
      {
        id: 'no-payments',
        heading: '1. You Pay Us Nothing',
        blocks: [`If anyone asks you for money in the name of ${brand.plainName}, tell us.`],
      },
      {
        id: 'refund-requests',
        heading: '2. Your Clinic Refunds What You Paid It',
        blocks: ['Ask your clinic for its own rules before you pay.'],
      },
      {
        id: 'cancellation',
        heading: '3. Appointments',
        blocks: [
          'Call your clinic to move or cancel one.',
          `To take back your request, write to ${contacts.email}.`,
        ],
      },
      { id: 'contact', heading: '4. Contact', blocks: ['Questions:', { contacts }] },
    ],
  };
}
