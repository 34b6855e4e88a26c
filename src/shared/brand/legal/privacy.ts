import type { SiteContacts } from '#shared/pages/site.ts';
import { brand } from '../brand.ts';
import { advertisingId } from '../consent.ts';
import type { LegalSection, LegalText } from '#shared/pages/legalText.ts';

const us = brand.plainName;

/** The anchor of the consumer health data notice. RCW 19.373.020 requires its link on the home page. */
export const consumerHealthDataId = 'consumer-health-data';

export function privacyPolicy(contacts: SiteContacts): LegalText {
  return {
    title: 'Privacy Policy',
    lastUpdated: 'November 2026',
    intro: `${us} runs this website to provide information about a non-surgical protocol and to connect you with an independent certified provider (“provider”). This policy explains in plain language what we collect when you use the site, why, who receives it, and what you can do about it.`,
    sections: [collected, use, sharing, consent, security, rights(contacts), changes, contact(contacts)],
  };
}

const collected: LegalSection = {
  id: 'information-collected',
  heading: '1. Information We Collect',
  blocks: [
    'You can read this site without identifying yourself. When you send a form, we collect:',
    {
      items: [
        'Your contact details: first and last name, email address, phone number and ZIP code.',
        'Your answers to optional questions of the form, if you give any, such as when to call you.',
        'Your consent: the exact wording you agreed to, when, on which page, and the IP address and browser type it came from. The law requires us to be able to show this.',
        'Where you came from: the site or campaign that led you here and the click number of an ad, if your link contained that information. Your browser keeps it for up to 90 days and sends it with your form; with Global Privacy Control on, it is neither kept nor sent.',
        'That you asked to be connected with a provider of this protocol, which says something about your health interests.',
      ],
    },
    'Like any web server, ours also handles technical information such as IP addresses and requested pages, to answer requests, limit abuse and keep the service running. Our logs contain no contact details.',
    'Your entries in a form are kept in your browser, in this tab, until you send the form or close the tab, so that a reload does not remove them. Before you send it, we get only the ZIP code, to name the provider near you. Afterwards the tab remembers which provider got your request, or the number and email address of an application.',
    'The sizes you enter in the results calculator are processed only in your browser. They are not sent to us, and we do not store them.',
  ],
};

const use: LegalSection = {
  id: 'use',
  heading: '2. How We Use Information',
  blocks: [
    'We use what you send us to:',
    {
      items: [
        'find a provider near your ZIP code and connect you with that provider;',
        'contact you about your request by phone, text or email, as you agreed;',
        'keep evidence of your consent and honor your choice to stop;',
        'find and prevent spam, fraud and misuse;',
        'understand, in total numbers, how the site is used, and fix what does not work;',
        'meet our legal obligations.',
      ],
    },
    'We do not use your information to make decisions about your care. Whether the protocol is right for you is a decision for you and your provider.',
  ],
};

const sharing: LegalSection = {
  id: 'sharing',
  heading: '3. How We Share Information',
  blocks: [
    'We do not sell your contact details. We share information only with:',
    {
      items: [
        'The provider you are matched with, or whose site you used. The provider receives your contact details in order to reach you, and handles them under its own privacy practices.',
        'Companies that work for us, such as hosting, email and customer-record services. They may use the information only to do that work.',
        'Authorities or courts, where the law requires it, or where it is needed to protect someone’s rights or safety.',
        'A successor, if the business or a part of it changes hands. Your choices stay in force.',
      ],
    },
    'Maps come from our own server. Where a map also shows streets, your browser loads images of the area you view from the map service named on the map, which then sees your IP address and that area.',
  ],
  parts: [advertising()],
};

function advertising() {
  return {
    id: advertisingId,
    heading: 'Advertising and Global Privacy Control',
    blocks: [
      'Nothing from an advertising company is loaded while you read this site. Some of our sites and providers’ sites advertise with Google or Microsoft and ask you, in a bar at the bottom of the page, whether we may measure that. Your answer is stored only in your browser; “Privacy choices” at the bottom of the page brings the question back at any time.',
      {
        items: [
          'If you accept, and then send a form, your browser notifies that company once that a form was sent on this site. It sends a random number made for that purpose and the site’s address. As with any connection, the company also sees your IP address and browser type.',
          'It never receives your name, email, phone number, ZIP code, calculator entries, or the full address of the page. Its code runs in a closed frame that cannot read the page, and we switch off advertising profiles, audiences and matching with contact details.',
          'If you decline or do not answer, nothing is loaded or sent, and everything works the same.',
          'If your browser sends the Global Privacy Control signal, we treat it as an opt-out from sale, sharing and targeted advertising: you are not asked, nothing is loaded or sent, the bottom of the page says “Opt-Out Preference Signal Honored”, and we record the signal with your request.',
        ],
      },
    ],
  };
}

const consent: LegalSection = {
  id: 'consent',
  heading: '4. Your Consent to Be Contacted',
  blocks: [
    'When you tick the consent box and send a form, you agree that the provider you are matched with, or whose site you used, may contact you as the text beside the box says, at the number and address you gave. We email you to confirm your request. Consent is not a condition of buying anything. Message and data rates may apply.',
    'You can withdraw your consent at any time: reply STOP to a text, use the unsubscribe link in an email, ask the caller, or write to us. We then stop, and keep a record of your request.',
  ],
};

const security: LegalSection = {
  id: 'security',
  heading: '5. Security',
  blocks: [
    'Information sent between your browser and this site is encrypted. Access to what you send is limited to the people who need it, and records of consent are kept in a way that shows any later change.',
    'We keep your request for as long as it is needed for the purposes above. When it is deleted, it is taken out of use immediately and erased after 30 days; the record of your consent is kept longer, because it may be needed as evidence.',
    'No system is perfectly secure. If a breach affects your information, we will notify you as the law requires.',
  ],
};

function rights(contacts: SiteContacts): LegalSection {
  return {
    id: 'rights',
    heading: '6. Your Rights',
    blocks: [
      'Depending on where you live, you have the right to:',
      {
        items: [
          'know whether we have information about you and receive a copy of it;',
          'have it corrected;',
          'have it deleted;',
          'withdraw a consent, and opt out of targeted advertising or sale;',
          'appeal if we decline a request, and complain to your state’s attorney general.',
        ],
      },
      `To use any of these, write to ${contacts.email} or call ${contacts.phone}. We may ask for enough detail to be sure that the request is yours. We respond within 45 days and do not treat you differently for asking. Someone you authorize may ask on your behalf.`,
      'The site is for adults. We do not knowingly collect information from anyone under 18; if you believe that we have, contact us and we will delete it.',
    ],
    parts: [consumerHealthData(contacts)],
  };
}

function consumerHealthData(contacts: SiteContacts) {
  return {
    id: consumerHealthDataId,
    heading: 'Consumer health data',
    blocks: [
      'This part is our consumer health data privacy policy under Washington’s My Health My Data Act, Nevada’s similar law, and comparable laws elsewhere.',
      {
        items: [
          'What we collect: the fact that you asked about this protocol, together with the contact details and answers you sent. We do not collect medical records, diagnoses, photographs or calculator entries.',
          'Why: to connect you with a provider, as you asked, and to keep evidence of your consent.',
          'Where it comes from: you, through the forms on this site and on providers’ sites that we run.',
          'What we share, and with whom: that fact and your contact details, with the provider you are matched with and with the companies that host, send email and keep customer records for us. We have no affiliates that receive it.',
          'We do not share it with advertising companies. If you accept advertising measurement, what they learn is that a form was sent on this site; see “Advertising and Global Privacy Control” above.',
          'We do not sell consumer health data, and we do not use geofences around places that provide health care.',
        ],
      },
      `You may ask us to confirm, show or delete your consumer health data, to list those with whom it was shared, and to stop collecting or sharing it: write to ${contacts.email}. If we decline, you may appeal by replying to our answer; if the appeal is declined too, you may complain to your attorney general (in Washington: www.atg.wa.gov/file-complaint).`,
    ],
  };
}

const changes: LegalSection = {
  id: 'changes',
  heading: '7. Changes to This Policy',
  blocks: [
    'When we change this policy, we put the new text here with a new date. If a change affects information we already have, we will notify you before it applies and, where the law requires it, obtain your consent.',
  ],
};

function contact(contacts: SiteContacts): LegalSection {
  return {
    id: 'contact',
    heading: '8. Contact Us',
    blocks: ['Questions about this policy or your information:', { contacts }],
  };
}
