import type { SiteContacts } from '#shared/pages/site.ts';
import { brand } from '../brand.ts';
import { advertisingId } from '../consent.ts';
import type { LegalSection, LegalText } from '#shared/pages/legalText.ts';

/** The anchor of the consumer health data notice. RCW 19.373.020 requires its link on the home page. */
export const consumerHealthDataId = 'consumer-health-data';

export function privacyPolicy(contacts: SiteContacts): LegalText {
  return {
    title: 'Privacy Notice',
    lastUpdated: 'May 2026',
    intro: `What ${brand.plainName} learns about you on this site, and what becomes of it.`,
    sections: [
      {
        id: 'information-collected',
        heading: '1. What You Give Us',
        blocks: [
          'When you send a form:',
          {
            items: [
              'your name, email, phone and ZIP code;',
              'what you answered to the optional questions of the form;',
              'the words you agreed to, when, and from which address.',
            ],
          },
          'The angles you set in the calculator never leave your browser.',
        ],
      },
      { id: 'use', heading: '2. What We Do with It', blocks: ['We look for a clinic and let it call you.'] },
      sharing,
      { id: 'consent', heading: '4. Your Yes', blocks: ['You can take it back at any time: STOP ends it.'] },
      { id: 'security', heading: '5. Safekeeping', blocks: ['Encrypted on its way, and seen by few.'] },
      rights(contacts),
      { id: 'changes', heading: '7. Changes', blocks: ['A new notice stands here with a new date.'] },
      { id: 'contact', heading: '8. Contact', blocks: ['Questions:', { contacts }] },
    ],
  };
}

const sharing: LegalSection = {
  id: 'sharing',
  heading: '3. Who Else Sees It',
  blocks: ['Your clinic, and the companies that run this site for us. We sell nothing of it.'],
  parts: [
    {
      id: advertisingId,
      heading: 'Ads',
      blocks: [
        'With your yes, an ad network hears once, under a random number, that a form was sent. With Global Privacy Control on it hears nothing.',
      ],
    },
  ],
};

function rights(contacts: SiteContacts): LegalSection {
  return {
    id: 'rights',
    heading: '6. Your Rights',
    blocks: [`Ask for a copy, a correction or deletion: ${contacts.email} or ${contacts.phone}.`],
    parts: [
      {
        id: consumerHealthDataId,
        heading: 'Consumer health data',
        blocks: [
          'That you asked about your knees is health data in some states. It goes to your clinic and to nobody who advertises.',
          `To have it shown, deleted or no longer shared, write to ${contacts.email}; you may appeal our answer.`,
        ],
      },
    ],
  };
}
