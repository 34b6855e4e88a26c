import { brand } from './brand.ts';
import { callToAction } from './calls.ts';
import { averageGain } from './measures.ts';
import type { Benefit } from './microsite.ts';

/** Every word of the variant landing page. `¹` is the mark of the entry's claim, as in hero.ts. */

const treatment = brand.name;

export const variantHero = {
  eyebrow: 'Without surgery, with a provider you can talk to',
  title: 'A private question deserves a straight answer.',
  lead: `${treatment} is a clinically studied, non-surgical protocol for men who want to increase their size. A certified provider near you explains in a free first conversation whether it’s right for you.`,
  benefitsLabel: 'What it offers',
  benefits: [
    {
      claim: 'average-gain-length',
      text: `Measured in a clinical study: ${averageGain.length} inches in length and ${averageGain.girth} inches in girth on average after six months¹`,
    },
    { claim: 'non-surgical', text: '100% non-surgical: no operation at any point' },
    { claim: 'urologist-recommended', text: 'Recommended by urologists, performed by certified providers¹' },
    {
      claim: 'no-adverse-effects',
      text: 'In the clinical study, 0% of participants reported adverse effects¹',
    },
  ] satisfies Benefit[],
  action: callToAction.qualify,
} as const;

export const variantForm = {
  banner: 'Limited Spots Available!',
  title: 'Request your free consultation',
  nextTitle: 'What happens next',
  next: [
    'We look for the certified provider nearest your ZIP code.',
    'They contact you to arrange your consultation.',
    'Ask anything you like, then decide.',
  ],
  payment: 'You pay nothing on this site. Fees are between you and your provider.',
  lead: 'Five short fields. The provider nearest your ZIP code contacts you discreetly.',
} as const;

export const treatmentSection = {
  id: 'what-is',
  eyebrow: 'The treatment',
  title: `What ${treatment} is`,
  lead: 'Four parts, combined in one plan. Your provider walks you through each before you start.',
  parts: [
    {
      title: 'Vacuum therapy',
      text: 'Negative pressure draws blood into the tissue and stretches it, on a schedule your provider sets.',
    },
    {
      title: 'Injections',
      text: 'Before you start, your provider explains what is injected, where and how often.',
    },
    {
      title: 'Stretching exercises',
      text: 'Your provider shows you how. After that, it’s patience and routine.',
    },
    {
      title: 'Supplements',
      text: 'Used alongside the other parts. Mention every medicine you use, so that your provider can check for interactions.',
    },
  ],
  limits: {
    title: 'What it is not',
    text: 'Not an operation, not a pill from the internet, and not a promise: results vary from man to man, and a good provider says so when it isn’t right for you.',
  },
} as const;

export const pressStrip = {
  title: 'As Seen On',
  credential: {
    title: 'Who stands behind it',
    text: `The creator of ${treatment} developed the protocol and had it tested in a clinical study. Every certified provider learns that same protocol in one day online and a hands-on workshop. Ask yours about both.`,
    claims: ['clinical-study', 'training'],
  },
} as const;

export const firstCall = {
  id: 'first-call',
  eyebrow: 'The first call',
  title: 'What to expect when the phone rings',
  lead: 'It’s an easy call to put off. It’s also a short and routine one.',
  moments: [
    {
      title: 'They say who they are',
      text: 'The caller gives the clinic’s name. If it’s a bad time, say so and suggest a better one.',
    },
    {
      title: 'They ask about your health',
      text: 'Your age, conditions, medicines. Any question you would rather answer in person can wait for a visit.',
    },
    {
      title: 'You ask the rest',
      text: 'What it costs, how long it takes, what it feels like, what can go wrong. Write your questions down first.',
    },
    {
      title: 'You both decide',
      text: 'Whether a visit makes sense. If the answer is no, that’s a good answer too, and it costs you nothing.',
    },
  ],
} as const;

export const comparison = {
  id: 'options',
  eyebrow: 'Your options',
  title: 'An honest look at the alternatives',
  lead: 'You have more than one option, including leaving things as they are.',
  labels: { operation: 'An operation?', examined: 'Does someone examine you first?', note: 'Good to know' },
  rows: [
    {
      option: treatment,
      operation: 'No',
      examined: 'Yes, a certified provider',
      note: 'Requires patience: results in the study were measured after six months.',
      own: true,
    },
    {
      option: 'Surgery',
      operation: 'Yes',
      examined: 'Yes, a surgeon',
      note: 'Anesthesia, recovery time, and a result that isn’t easily undone. Get a second opinion.',
      own: false,
    },
    {
      option: 'Pills and devices bought online',
      operation: 'No',
      examined: 'No',
      note: 'No one knows your health or checks what’s in the package. Be especially careful with other medicines.',
      own: false,
    },
    {
      option: 'Leaving it as it is',
      operation: 'No',
      examined: 'Not needed',
      note: 'Many men who worry are within the normal range. If you’re happy as you are, you don’t need to do anything.',
      own: false,
    },
  ],
} as const;

export type PrivacyFactKey = 'receiver' | 'noTrackers' | 'noPayment' | 'stop';

export const privacyFacts = {
  id: 'privacy-facts',
  eyebrow: 'Your privacy',
  title: 'Who sees what you type',
  lead: 'You’re asking about something personal. Here are the facts.',
  facts: [
    {
      key: 'receiver',
      title: 'One clinic receives it',
      text: 'The provider you are matched with, and the companies that run this site for us. We do not sell your contact details.',
    },
    {
      key: 'noTrackers',
      title: 'No one else is watching',
      text: 'Until you agree, this page contacts no other company’s servers. Advertisers never get your name, email, phone or ZIP code from us.',
    },
    {
      key: 'noPayment',
      title: 'No card, no statement',
      text: 'This site takes no payment, so nothing from us appears on a bill.',
    },
    {
      key: 'stop',
      title: 'One word ends it',
      text: 'Reply STOP to a text, or use the link in an email. We record your choice and honor it.',
    },
  ] satisfies { key: PrivacyFactKey; title: string; text: string }[],
  policyLabel: 'Read the privacy policy',
} as const;
