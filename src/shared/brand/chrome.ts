import { brand } from './brand.ts';
import { averageGain } from './measures.ts';

/** The texts of the header, the strip above it and the footer. */
export const chrome = {
  skipLink: 'Skip to content',
  /** The strip above the header. */
  topBlock: {
    label: 'What to expect',
    points: ['100% non-surgical', 'Independent certified providers', 'Discreet and private'],
  },
  /** Names the links beside the page. */
  ruler: 'On this page',
  certifiedProviderOf: 'Certified provider of',
  nav: {
    label: 'Main',
    open: 'Open menu',
    close: 'Close menu',
    howItWorks: 'How It Works',
    results: 'Results',
    faqs: 'FAQs',
    providerMap: 'Provider Map',
    findProvider: 'Find a Provider',
    /** On a provider's host, in place of the two before. */
    directions: 'Directions',
    request: 'Request Consultation',
    /** On the page for prospective providers. */
    recruitment: {
      whyJoin: 'Why Join',
      research: 'Research',
      howToStart: 'How to Start',
      faq: 'FAQ',
    },
  },
  footer: {
    explore: 'Explore',
    contact: 'Contact',
    legal: 'Legal',
    visitWebsite: 'Visit Website',
    becomeProvider: 'Become a Provider',
    directory: 'Providers by State',
    siteOperator: `This site is run by ${brand.plainName} for independent certified providers.`,
    disclaimerTitle: 'Please note',
    disclaimer: `Results vary from person to person and are not guaranteed. Nothing on this site is medical advice, and ${brand.plainName} is not a medical provider: it provides information and connects you with independent providers. Talk to a physician before starting any treatment. In a medical emergency, call 911.`,
    studyNote: `Study figures: clinical study of the protocol; average gains of ${averageGain.length} inches in length and ${averageGain.girth} inches in girth after six months. Averages describe the study’s participants and do not predict your own result.`,
    healthData: 'Consumer Health Data Privacy',
    rights: 'All rights reserved.',
    /** Here and beside the forms. */
    report: 'Report a problem',
    privacyChoices: 'Privacy choices',
    optedOut: 'Opt-Out Preference Signal Honored',
  },
} as const;

/** The labels of the three legal documents. */
export const policyLabels = {
  terms: 'Terms and Conditions',
  privacy: 'Privacy Policy',
  refunds: 'Refund & Cancellation Policy',
} as const;
