import type { SiteContacts } from '#shared/pages/site.ts';
import { brand } from '../brand.ts';
import type { LegalSection, LegalText } from '#shared/pages/legalText.ts';

const us = brand.plainName;

export function termsAndConditions(contacts: SiteContacts): LegalText {
  return {
    title: 'Terms and Conditions',
    lastUpdated: 'February 2025',
    intro: `These terms apply to your use of this website, which is run by ${us} (“we”, “us”). By using the site or sending a form you accept them. If you do not accept them, please do not use the site.`,
    sections: [
      who,
      noMedicalAdvice,
      eligibility,
      consent,
      privacy(contacts),
      providers,
      results,
      liability,
      disputes(contacts.arbitrationPlace),
      changes(contacts),
    ],
  };
}

const who: LegalSection = {
  id: 'who-we-are',
  heading: '1. Who We Are and What This Site Does',
  blocks: [
    `${us} provides information about a non-surgical protocol and connects people who ask for it with independent certified providers near them. That is all this site does.`,
    'We are not a clinic, a physician, an insurer or a pharmacy. We do not examine, diagnose or treat anyone, and sending a form does not make you our patient or anyone else’s.',
  ],
};

const noMedicalAdvice: LegalSection = {
  id: 'no-medical-advice',
  heading: '2. No Medical Advice',
  blocks: [
    'Everything on this site is general information. It is not medical advice and does not replace a conversation with a physician who knows your health. Do not put off or disregard medical advice because of something you read here.',
    'If you think that you have a medical emergency, call 911 immediately.',
  ],
};

const eligibility: LegalSection = {
  id: 'eligibility',
  heading: '3. Who May Use the Site',
  blocks: [
    'You must be at least 18 years old and live in the United States to send a form. The details you send must be true and your own.',
    'You may not send forms for someone else without their permission, disrupt or overload the site, try to reach parts of it that are not meant for you, or copy it by automated means except as search engines do.',
  ],
};

const consent: LegalSection = {
  id: 'consent-to-contact',
  heading: '4. Consent to Be Contacted',
  blocks: [
    'When you tick the consent box and send a form, you agree that the provider you are matched with, or whose site you used, may contact you as the text beside the box says, including with an autodialer or prerecorded voice. We email you to confirm your request. Consent is not a condition of buying anything. Message frequency varies; message and data rates may apply.',
    'You can stop this at any time: reply STOP to any text, use the unsubscribe link in any email, or contact us. Reply HELP to a text for help.',
  ],
};

function privacy(contacts: SiteContacts): LegalSection {
  return {
    id: 'privacy-and-data-rights',
    heading: '5. Privacy and Your Data Rights',
    blocks: [
      'Our Privacy Policy, at /privacy, explains what we collect, why, and with whom we share it. It is part of these terms.',
      `You may ask what information we have about you, have it corrected or deleted, and withdraw your consent. Write to ${contacts.email} or call ${contacts.phone}.`,
    ],
  };
}

const providers: LegalSection = {
  id: 'providers-and-payments',
  heading: '6. Providers, Fees and Payments',
  blocks: [
    'Providers are independent businesses. They are not our employees, agents or partners, and only they are responsible for their advice, care, staff, prices and schedules. A match is made by distance and availability; it is not a recommendation of one provider over another. Please satisfy yourself of a provider’s license and experience before you agree to anything.',
    `You make no payments to ${us}. The information on this site and the match are free of charge. Consultation fees, treatment prices, payment plans and refunds are agreed and handled between you and your provider. See our Refund & Cancellation Policy at /refunds.`,
  ],
};

const results: LegalSection = {
  id: 'results-and-content',
  heading: '7. Results and Site Content',
  blocks: [
    'Results vary. Study figures are averages and reports of the study’s participants; the calculator adds those averages to the number you enter. Neither is a prediction or promise of what you will experience.',
    `The texts, drawings, names and marks on this site belong to ${us} or to those who let us use them. You may read, print and share pages for your own, noncommercial use.`,
    'Links to other sites are provided for convenience. We do not control those sites and are not responsible for what they say, sell or do.',
  ],
};

const liability: LegalSection = {
  id: 'disclaimer-and-liability',
  heading: '8. Disclaimer and Limits of Liability',
  blocks: [
    'We take care that the site is correct and available, but offer it “as is” and “as available”. As far as the law allows, we disclaim all warranties, express or implied, including fitness for a particular purpose.',
    `As far as the law allows, ${us} is not liable for what a provider does or omits, or for indirect, incidental or consequential damages that arise from the use of this site. Our total liability to you for any claim about the site is limited to 100 US dollars.`,
    'Nothing in these terms limits liability that cannot be limited by law, or your rights as a consumer or patient against a provider.',
  ],
};

function disputes(arbitrationPlace: string): LegalSection {
  return {
    id: 'disputes-and-arbitration',
    heading: '9. Disputes and Arbitration',
    blocks: [
      'If something goes wrong, please write to us first. Most matters are settled within 30 days that way.',
      `A dispute that is not settled will be decided by binding individual arbitration in ${arbitrationPlace}, or by phone or video if you prefer, under the consumer rules of the American Arbitration Association. The Federal Arbitration Act governs this section; otherwise the law of that state applies.`,
      'Either of us may instead go to a small-claims court that has jurisdiction, or ask a court to stop misuse of intellectual property. Claims are brought only individually: neither of us may take part in a class, collective or representative action, as far as the law allows this to be agreed.',
      'You may opt out of arbitration by writing to us within 30 days of first sending a form. That does not affect the rest of these terms.',
    ],
  };
}

function changes(contacts: SiteContacts): LegalSection {
  return {
    id: 'changes-and-contact',
    heading: '10. Changes and Contact',
    blocks: [
      'We may change these terms; the date above shows when that last happened. A change applies to your use of the site after that date. If one of these terms is found invalid, the others stay in force.',
      'You can reach us here:',
      { contacts },
    ],
  };
}
