import type { SiteContacts } from '#shared/pages/site.ts';
import { brand } from '../brand.ts';
import { longDate } from '#shared/formats/writing.ts';
import type { LegalText } from '#shared/pages/legalText.ts';

const us = brand.plainName;

/** `today`: the server's ISO date, which the document shows as its own. */
export function refundPolicy(contacts: SiteContacts, today: string): LegalText {
  return {
    title: 'Refund & Cancellation Policy',
    lastUpdated: longDate(today),
    intro: `${us} provides information and connects you with independent certified providers. It sells nothing on this site, so this policy is short.`,
    sections: [
      {
        id: 'no-payments',
        heading: `1. No Payments Are Made to ${us}`,
        blocks: [
          `Using this site, sending a form and being matched with a provider cost nothing. No payments are made to ${us}, and we never ask for card or bank details, so there is nothing for us to refund.`,
          `If someone asks you for a payment in the name of ${us}, don’t pay, and let us know.`,
        ],
      },
      {
        id: 'refund-requests',
        heading: '2. Refund Requests Go to Your Provider',
        blocks: [
          'Consultation fees, treatment, products and payment plans are agreed between you and your provider. Your provider’s own refund policy applies to them: ask to see it before you pay, and send any refund request to the provider directly.',
          'We cannot grant, refuse or speed up a provider’s refund. If a provider does not answer you, contact us and we will pass your message on.',
        ],
      },
      {
        id: 'cancellation',
        heading: '3. Canceling a Consultation',
        blocks: [
          'To cancel or move a consultation, contact your provider as early as you can. Some providers charge for appointments that are missed or canceled late; ask about this when you make yours.',
          'A financing agreement is between you and the lender. Its own terms explain how and by when you can cancel it.',
        ],
      },
      {
        id: 'other-sites',
        heading: '4. Purchases on Other Sites',
        blocks: [
          'A link on this site may lead to a shop run by someone else, for example for a starter kit. What you buy there is covered by that shop’s own policy.',
        ],
      },
      {
        id: 'withdraw-request',
        heading: '5. Withdrawing Your Request',
        blocks: [
          `You can withdraw a request to be contacted at any time and at no cost: reply STOP to a text, use the unsubscribe link in an email, or write to ${contacts.email}.`,
        ],
      },
      { id: 'contact', heading: '6. Contact', blocks: ['Questions about this policy:', { contacts }] },
    ],
  };
}
