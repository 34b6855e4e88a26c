import { brand } from './brand.ts';
import { callToAction } from './calls.ts';
import { averageGain } from './measures.ts';
import type { Benefit } from './microsite.ts';

/** Every word of the variant landing page. `¹` marks a study claim, as in landing.ts. */

const treatment = brand.name;

export const variantHero = {
  eyebrow: 'Without surgery, with a provider you can talk to',
  title: 'A private question deserves a straight answer.',
  lead: `${treatment} is a clinically studied, non-surgical protocol for men who would like to gain size. A certified provider near you tells you in a first, free conversation whether it suits you.`,
  /** In the drawing beside it. */
  gains: [
    { claim: 'average-gain-length', gain: averageGain.length, text: 'inches in length' },
    { claim: 'average-gain-girth', gain: averageGain.girth, text: 'inches in girth' },
  ],
  gainsCaption: 'Average gain of study participants after six months¹',
  benefitsLabel: 'What it offers',
  benefits: [
    {
      claim: 'average-gain-length',
      text: `Measured in a clinical study: ${averageGain.length} inches in length and ${averageGain.girth} inches in girth on average after six months¹`,
    },
    { claim: 'non-surgical', text: '100% non-surgical: no operation at any point' },
    { claim: 'urologist-recommended', text: 'Recommended by urologists, carried out by certified providers' },
    {
      claim: 'no-adverse-effects',
      text: 'In the clinical study, 0% of participants reported adverse effects¹',
    },
  ] satisfies Benefit[],
  action: callToAction.qualify,
} as const;

export const variantForm = {
  banner: 'Limited Spots Available!',
  title: 'Ask for your free consultation',
  nextTitle: 'What happens next',
  next: [
    'We look for the certified provider nearest to your ZIP code.',
    'That provider contacts you to arrange your consultation.',
    'You ask everything you want to know, then decide.',
  ],
  payment: 'No payment is taken on this site. Fees are between you and your provider.',
  lead: 'Five short answers. The provider nearest to your ZIP code gets in touch, discreetly.',
} as const;

export const treatmentSection = {
  id: 'what-is',
  eyebrow: 'The treatment',
  title: `What ${treatment} is`,
  lead: 'Four parts, combined in one plan. Your provider goes through each with you before anything begins.',
  parts: [
    {
      title: 'Vacuum therapy',
      text: 'Negative pressure draws blood into the tissue and stretches it, by a plan that your provider sets.',
    },
    {
      title: 'Injections',
      text: 'Your provider tells you what is injected, where that is done and how often, before anything begins.',
    },
    {
      title: 'Stretching exercises',
      text: 'Shown to you by your provider. After that they are a matter of patience and routine.',
    },
    {
      title: 'Supplements',
      text: 'Taken alongside. Tell your provider about any medicine you take, so that nothing works against it.',
    },
  ],
  limits: {
    title: 'What it is not',
    text: 'Not an operation, not a pill from the internet, and not a promise: results vary from man to man, and a good provider says so when it is not for you.',
  },
} as const;

export const pressStrip = {
  title: 'As Seen On',
  credential: {
    title: 'Who stands behind it',
    text: `The creator of ${treatment} set it down as one protocol and had it examined in a clinical study. Every certified provider learns that same protocol, in one day online and a hands-on workshop. Ask yours about both.`,
    claims: ['clinical-study', 'training'],
  },
} as const;

export const firstCall = {
  id: 'first-call',
  eyebrow: 'The first call',
  title: 'What to expect when the phone rings',
  lead: 'It is an easy call to put off. It is also a short and ordinary one.',
  moments: [
    {
      title: 'They say who they are',
      text: 'A clinic is calling, by name. If it is a bad moment, say so and name a better one.',
    },
    {
      title: 'They ask about your health',
      text: 'Your age, conditions, medicines. Any question you would rather answer in person can wait for a visit.',
    },
    {
      title: 'You ask the rest',
      text: 'What it costs, how long it takes, what it feels like, what can go wrong. Write your questions down beforehand.',
    },
    {
      title: 'You both decide',
      text: 'Whether a visit makes sense. If the answer is no, that is a good answer too, and it cost you nothing.',
    },
  ],
} as const;

export const comparison = {
  id: 'options',
  eyebrow: 'Your options',
  title: 'An honest look at the alternatives',
  lead: 'There is more than one way, and one of them is to leave things as they are.',
  labels: { operation: 'An operation?', examined: 'Does someone examine you first?', note: 'Good to know' },
  rows: [
    {
      option: treatment,
      operation: 'No',
      examined: 'Yes, a certified provider',
      note: 'Asks for patience: results in the study were measured after six months.',
      own: true,
    },
    {
      option: 'Surgery',
      operation: 'Yes',
      examined: 'Yes, a surgeon',
      note: 'Anesthesia, time to heal, and a result that can’t simply be undone. Get a second opinion.',
      own: false,
    },
    {
      option: 'Pills and devices bought online',
      operation: 'No',
      examined: 'No',
      note: 'Nobody knows your health or checks what is in the package. Be careful above all with other medicines.',
      own: false,
    },
    {
      option: 'Leaving it as it is',
      operation: 'No',
      examined: 'Not needed',
      note: 'Many men who worry turn out to be within the ordinary range. If you are well as you are, nothing needs doing.',
      own: false,
    },
  ],
} as const;

export type PrivacyFactKey = 'receiver' | 'noTrackers' | 'noPayment' | 'stop';

export const privacyFacts = {
  id: 'privacy-facts',
  eyebrow: 'Your privacy',
  title: 'Who sees what you type',
  lead: 'You are asking about something personal. These are the facts, not a reassurance.',
  facts: [
    {
      key: 'receiver',
      title: 'One clinic receives it',
      text: 'The provider you are matched with, and the companies that run this site for us. We do not sell your contact details.',
    },
    {
      key: 'noTrackers',
      title: 'No one else looks on',
      text: 'Until you agree to it, this page asks no other company’s server for anything. Advertisers never get your name, email, phone or ZIP code from us.',
    },
    {
      key: 'noPayment',
      title: 'No card, no statement',
      text: 'This site takes no payment, so nothing of it can show up on a bill.',
    },
    {
      key: 'stop',
      title: 'One word ends it',
      text: 'Reply STOP to a text, or use the link in an email. Your choice is kept on record and honored.',
    },
  ] satisfies { key: PrivacyFactKey; title: string; text: string }[],
  policyLabel: 'Read the privacy policy',
} as const;
