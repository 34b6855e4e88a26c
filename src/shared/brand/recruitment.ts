import { brand } from './brand.ts';
import { applyLabel } from './calls.ts';
import type { StudyFact } from './hero.ts';
import { matchPreviewTexts } from './matchPreview.ts';
import { longDate } from '#shared/formats/writing.ts';

/**
 * The texts of the provider recruitment page, without the application's (application.ts). `¹` is the mark of the
 * entry's claim (claims.ts).
 */

const treatment = brand.name;

export const recruitmentCalls = {
  become: 'Become a Provider',
  viewMap: 'View Provider Map',
  apply: applyLabel,
  start: 'Start Your Application',
} as const;

export const recruitmentHero = {
  eyebrow: 'For clinics and physicians',
  /** Replaces it for a reader who got the page’s address from a visitor without a provider (success.ts). */
  fromVisitor: 'Sent here by a patient? They looked for a certified provider on this site.',
  title: `Offer ${treatment} in your practice`,
  lead: 'A clinically studied, non-surgical protocol for men, with training, certification and inquiries from people who live near you.',
  factsLabel: 'At a glance',
  facts: [
    { claim: 'review-time', figure: '24-48 hours', text: 'until your application is reviewed' },
    { claim: 'training', figure: 'One day', text: 'of virtual training, plus a hands-on workshop' },
    { claim: 'participants', figure: '32', text: 'study participants¹' },
  ] satisfies StudyFact[],
  figure: {
    name: 'Fig. 1',
    example: 'An example, to scale',
    inquiry: 'Inquiry',
    you: 'Your practice',
    other: 'Another provider',
    /** Miles. */
    distances: [20, 34, 48],
    caption: 'Each inquiry goes to the certified provider nearest its ZIP code.',
  },
} as const;

/** A stroke in a drawing of 144 × 128 units: on a filled background, as a plain line, or in the accent color. */
export interface Stroke {
  tone: 'ground' | 'line' | 'light';
  path: string;
}

export const explainer = {
  id: 'video-section',
  eyebrow: 'The protocol',
  title: 'Four parts, one plan',
  lead: 'Vacuum therapy, injections, stretching exercises and supplements work together. There is no surgery at any point.',
  play: 'Play video:',
  parts: [
    {
      key: 'vacuum',
      title: 'Vacuum therapy',
      drawing: [
        {
          tone: 'ground',
          path: 'M40 44h40a18 18 0 0 1 18 18a18 18 0 0 1-18 18h-40a18 18 0 0 1-18-18a18 18 0 0 1 18-18Z',
        },
        { tone: 'line', path: 'M98 62h14a10 10 0 0 1 10 10v4M36 62h10m8 0h10m8 0h10' },
        { tone: 'ground', path: 'M106 92a16 16 0 0 1 32 0a16 16 0 0 1-32 0Z' },
        { tone: 'light', path: 'm122 92 7-7m-18 7a11 11 0 0 1 11-11' },
      ] satisfies Stroke[],
    },
    {
      key: 'injections',
      title: 'Injections',
      drawing: [
        { tone: 'ground', path: 'm52 74 40-40 18 18-40 40a6 6 0 0 1-8 0L52 82a6 6 0 0 1 0-8Z' },
        { tone: 'line', path: 'm101 43 14-14m-9-8 17 17M60 86l-24 24' },
        { tone: 'light', path: 'm66 68 8 8m2-18 8 8m2-18 8 8' },
      ] satisfies Stroke[],
    },
    {
      key: 'stretching',
      title: 'Stretching exercises',
      drawing: [
        {
          tone: 'ground',
          path: 'M28 58h88a8 8 0 0 1 8 8v12a8 8 0 0 1-8 8h-88a8 8 0 0 1-8-8v-12a8 8 0 0 1 8-8Z',
        },
        { tone: 'line', path: 'M32 58v10m13-10v7m14-7v10m13-10v7m14-7v10m13-10v7m13-7v10' },
        { tone: 'light', path: 'M24 40h96m-88-8-8 8 8 8m80-16 8 8-8 8' },
      ] satisfies Stroke[],
    },
    {
      key: 'supplements',
      title: 'Supplements',
      drawing: [
        { tone: 'ground', path: 'M46 50h52v48a10 10 0 0 1-10 10H56a10 10 0 0 1-10-10V50Z' },
        {
          tone: 'ground',
          path: 'M46 32h52a6 6 0 0 1 6 6v6a6 6 0 0 1-6 6h-52a6 6 0 0 1-6-6v-6a6 6 0 0 1 6-6Z',
        },
        { tone: 'line', path: 'M46 64h52M46 94h52' },
        { tone: 'light', path: 'M64 79h16m-8-8v16' },
      ] satisfies Stroke[],
    },
  ],
} as const;

export const keyPoints = {
  id: 'key-points',
  eyebrow: 'Key reasons to join',
  title: 'What comes with the protocol',
  points: [
    {
      key: 'demand',
      title: 'Inquiries from your area',
      text: 'Visitors leave their ZIP code and contact details. The nearest certified provider gets the inquiry, with the person’s consent on record.',
    },
    {
      key: 'site',
      title: 'A page of your own',
      text: 'Your name, your logo, your contact details, on your own domain if you like. Inquiries left there go only to your practice.',
    },
    {
      key: 'map',
      title: 'A place on the map',
      text: 'Your practice appears on the public provider map, with your address and a link to your website.',
    },
    {
      key: 'independence',
      title: 'Your practice stays yours',
      text: 'You remain independent. Consultation, treatment and fees are between you and your patients; we never charge them.',
    },
  ],
} as const;
export type KeyPoint = (typeof keyPoints.points)[number]['key'];

export const testimonials = { id: 'testimonials', label: 'What a provider says' } as const;

export const research = {
  id: 'research',
  eyebrow: 'Research',
  title: 'What to share with your patients',
  lead: 'The results of the clinical study, as every provider receives them.',
  facts: [
    { claim: 'participants', figure: '32', text: 'study participants¹' },
    { claim: 'all-measurable', figure: '100%', text: 'achieved measurable increases¹' },
    { claim: 'average-increase', figure: '23%', text: 'average size increase¹' },
    { claim: 'no-adverse-events', figure: '0', text: 'adverse events¹' },
    { claim: 'satisfaction', figure: '95%+', text: 'satisfaction¹' },
  ] satisfies StudyFact[],
} as const;

export const providerNetwork = {
  id: 'provider-network',
  eyebrow: 'Provider network',
  title: 'Where patients already find us',
  lead: 'Certified providers across the country. See if your area still needs one.',
} as const;

/** A question about the area of a practice. The figures are the network's own. */
export const areaQuestion = {
  id: 'area',
  title: 'Is your area open?',
  label: 'ZIP code',
  submit: 'Check my area',
  /** The nearest provider is within its matching radius, or not. */
  taken: (zip: string) =>
    `No, inquiries from ${zip} go to a certified provider already. You can still apply: we review each area.`,
  open: (zip: string) => `Yes, ${zip} is open: no certified provider is near enough to get its inquiries.`,
  nearest: (name: string, miles: number | null) =>
    `The nearest is ${name}${miles === null ? '' : `, ${matchPreviewTexts.distance(miles)}`}.`,
  people: (people: number, area: string) =>
    `About ${people.toLocaleString('en-US')} people within 50 miles of the ${area} area asked for a provider in the last 90 days.`,
  apply: 'Apply for this area',
} as const;

export const practiceGrowth = {
  id: 'what-is',
  eyebrow: 'Practice growth',
  title: 'What it can mean for your practice',
  lead: 'One more non-surgical service alongside what you already offer.',
  figures: [
    { claim: 'revenue-per-patient', figure: '$2K-8K', text: 'revenue per patient' },
    { claim: 'new-patients', figure: '8-12', text: 'new patients per month' },
  ] satisfies StudyFact[],
  /** Belongs to the figures and stays beside them. */
  earningsNote:
    'Not a promise of earnings. What a practice earns depends on its area, its prices and its patients; yours may earn less, or nothing.',
  points: [
    'No surgery at any point in the protocol',
    'Inquiries reach you by ZIP code, with name, phone and email',
    'You set your own prices and your own hours',
  ],
} as const;

export type GetStartedStep = 'apply' | 'train' | 'offer';

export const getStarted = {
  id: 'get-started',
  eyebrow: 'How to get started',
  title: 'From application to first patient',
  steps: [
    {
      key: 'apply',
      title: 'Apply Online',
      text: 'Describe your practice in the form below. Your application is reviewed within 24-48 hours.',
    },
    {
      key: 'train',
      title: 'Train & Get Certified',
      text: 'One day of virtual training, then a hands-on workshop. After both, you’re certified in the protocol.',
    },
    {
      key: 'offer',
      title: 'Offer the protocol',
      text: 'Your practice goes on the map, your page goes live, and inquiries from your area reach you.',
    },
  ] satisfies { key: GetStartedStep; title: string; text: string }[],
} as const;

export const specialOffer = {
  id: 'special-offer',
  eyebrow: 'Special offer',
  title: 'Terms for new providers',
  lead: 'Apply now, and we’ll send the current terms for new providers with our decision on your application.',
  points: [
    'Application review within 24-48 hours',
    'One-day virtual training plus a hands-on workshop',
    'A place on the provider map and a page of your own',
  ],
  timerLabel: 'Time left',
  units: { days: 'Days', hours: 'Hours', minutes: 'Minutes', seconds: 'Seconds' },
  endsOn: 'Ends',
} as const;

/** The end of the offer, from an instant in UTC: `March 1, 2027, 17:00 UTC`. */
export function offerEndText(iso: string): string {
  return `${longDate(iso.slice(0, 10))}, ${iso.slice(11, 16)} UTC`;
}

/** The text for screen readers. It changes once a minute. */
export function timeLeftSentence(days: number, hours: number, minutes: number): string {
  const count = (amount: number, unit: string): string => `${amount} ${unit}${amount === 1 ? '' : 's'}`;
  return `${count(days, 'day')}, ${count(hours, 'hour')}, ${count(minutes, 'minute')}`;
}

export const recruitmentFaq = {
  id: 'faq',
  eyebrow: 'FAQ',
  title: 'What practices ask us',
  lead: 'Ask anything else in your application.',
  items: [
    {
      question: 'Who can become a provider?',
      answer: [
        'Independent clinics and practitioners whose license covers what the protocol requires. That varies by state, so we review it with you when you apply.',
      ],
    },
    {
      question: 'What does the training involve?',
      answer: [
        'One day of virtual training on the protocol, then a hands-on workshop. After both, you’re certified and can offer it.',
      ],
    },
    {
      question: 'How long does the application take?',
      answer: [
        'The form is short: a few minutes. We review applications within 24-48 hours and contact you by phone or email.',
      ],
    },
    {
      question: 'How do patients find my practice?',
      answer: [
        'Visitors to our site leave their ZIP code and contact details and are matched with the nearest certified provider. Your practice is on the public map, and inquiries from your own page go only to you.',
      ],
    },
    {
      question: 'What can my practice earn with it?',
      answer: [
        'The figures on this page are $2K-8K revenue per patient and 8-12 new patients per month.',
        'Such figures are not a promise of earnings. What you earn depends on your area, your prices and your patients; it may be less, or nothing.',
      ],
    },
  ],
} as const;

export const applicationBand = {
  eyebrow: 'Apply',
  title: 'Introduce your practice',
  lead: 'The form is short. We review your application within 24-48 hours and contact you with our decision.',
  callTitle: 'Questions first?',
  call: 'Call or write any time, no application needed.',
} as const;
