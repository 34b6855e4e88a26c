import type { SiteContacts } from '#shared/pages/site.ts';
import { brand } from '../brand.ts';
import type { LegalBlock, LegalText } from '#shared/pages/legalText.ts';

const us = brand.plainName;

export function termsAndConditions(contacts: SiteContacts): LegalText {
  const sections: [id: string, title: string, ...blocks: LegalBlock[]][] = [
    ['who-we-are', 'What We Do', `${us} informs you about knee practice and puts you in touch with clinics.`],
    [
      'no-medical-advice',
      'What We Don’t Do',
      'We treat nobody and give no medical advice. In an emergency call 911.',
    ],
    ['eligibility', 'Who May Ask', 'Adults who live in the United States, for themselves.'],
    [
      'consent-to-contact',
      'Calls and Messages',
      'The box you tick says who may call, write or text. STOP ends it.',
    ],
    [
      'privacy-and-data-rights',
      'Your Data',
      `The notice at /privacy says more. Write to ${contacts.email} or call ${contacts.phone}.`,
    ],
    ['providers-and-payments', 'Clinics and Fees', 'Clinics are independent. You pay them, never us.'],
    ['results-and-content', 'Results', 'Averages of a study foretell nobody’s result.'],
    [
      'disclaimer-and-liability',
      'Liability',
      'The site is offered as it is. Rights that law gives you stay yours.',
    ],
    [
      'disputes-and-arbitration',
      'Disputes',
      `Write to us first. What stays open is settled by arbitration in ${contacts.arbitrationPlace}, or in a small-claims court.`,
    ],
    ['changes-and-contact', 'Changes and Contact', 'New terms stand here with a new date.', { contacts }],
  ];
  return {
    title: 'Terms of Use',
    lastUpdated: 'May 2026',
    intro: `Whoever uses this site of ${us} agrees to these terms.`,
    sections: sections.map(([id, title, ...blocks], index) => ({
      id,
      heading: `${index + 1}. ${title}`,
      blocks,
    })),
  };
}
