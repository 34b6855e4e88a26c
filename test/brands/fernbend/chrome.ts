import { brand } from './brand.ts';
import { averageGain } from './measures.ts';

/** The texts of the header, the strip above it and the footer. */
export const chrome = {
  skipLink: 'Go to the content',
  /** The strip above the header. */
  topBlock: {
    label: 'In short',
    points: ['No operation', 'Independent knee clinics', 'Practised at your own pace'],
  },
  certifiedProviderOf: 'Clinic for',
  nav: {
    label: 'Pages',
    open: 'Open the menu',
    close: 'Close the menu',
    howItWorks: 'The method',
    results: 'Your range',
    faqs: 'Questions',
    providerMap: 'Clinic map',
    findProvider: 'Find a clinic',
    /** On the page for prospective providers. */
    recruitment: {
      whyJoin: 'Why teach it',
      research: 'The study',
      howToStart: 'First steps',
      faq: 'Questions',
    },
  },
  footer: {
    explore: 'Look around',
    contact: 'Reach us',
    legal: 'Fine print',
    visitWebsite: 'Their website',
    becomeProvider: 'Teach it at your clinic',
    siteOperator: `${brand.plainName} runs this site for independent knee clinics.`,
    disclaimerTitle: 'Good to know',
    disclaimer: `Knees differ, and so do results. ${brand.plainName} treats nobody: it informs you and puts you in touch with independent clinics. Ask a physician before you begin. In an emergency call 911.`,
    studyNote: `From the knee study: on average ${averageGain.bend} degrees more bend and ${averageGain.raise} degrees more raise after twelve weeks. An average is not a forecast.`,
    healthData: 'Health data notice',
    rights: 'All rights kept.',
    privacyChoices: 'Ad choices',
    optedOut: 'Opt-out signal honored',
  },
} as const;

/** The labels of the three legal documents. */
export const policyLabels = {
  terms: 'Terms of Use',
  privacy: 'Privacy Notice',
  refunds: 'Refunds and Cancellations',
} as const;
