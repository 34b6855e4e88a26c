import { brand } from './brand.ts';
import { callToAction } from './calls.ts';
import { averageGain } from './measures.ts';
import type { Benefit } from './microsite.ts';

/** The texts of the variant landing page. `¹` marks a study claim. */

export const variantHero = {
  eyebrow: 'For knees that have grown stiff',
  title: 'The stairs were not always this steep.',
  lead: `${brand.name} gives your knees something to do every day. A clinic near you shows you what.`,
  /** In the drawing beside it. */
  gains: [
    { claim: 'average-gain-bend', gain: averageGain.bend, text: 'degrees of bend' },
    { claim: 'average-gain-raise', gain: averageGain.raise, text: 'degrees of raise' },
  ],
  gainsCaption: 'Average of the participants after twelve weeks¹',
  benefitsLabel: 'What it gives you',
  benefits: [
    {
      claim: 'average-gain-bend',
      text: `Measured: ${averageGain.bend} degrees more bend on average after twelve weeks¹`,
    },
    { claim: 'no-operation', text: 'Exercises in place of an operation' },
    { claim: 'therapist-taught', text: 'A therapist who watches how you move' },
  ] satisfies Benefit[],
  action: callToAction.qualify,
} as const;

export const variantForm = {
  banner: 'A few appointments left this month',
  title: 'Ask for a first look',
  nextTitle: 'From here',
  next: ['We look for the nearest clinic.', 'It calls you.', 'You decide whether to begin.'],
  payment: 'Nothing is paid here. Your clinic tells you its fees.',
  lead: 'Five answers, and the clinic nearest to you calls.',
} as const;

export const treatmentSection = {
  id: 'what-is',
  eyebrow: 'The practice',
  title: `What ${brand.name} is made of`,
  lead: 'Four things, twenty minutes a day.',
  parts: [
    { title: 'Warmth', text: 'Ten minutes that make everything after them easier.' },
    { title: 'Taping', text: 'Your therapist shows you how to guide the kneecap.' },
    { title: 'Slow loading', text: 'A little more each week, never more than is comfortable.' },
    { title: 'Balance', text: 'One leg, then the other, then with your eyes closed.' },
  ],
  limits: {
    title: 'What it can’t do',
    text: 'It mends no torn ligament. A good clinic tells you when a surgeon should look.',
  },
} as const;

export const pressStrip = {
  title: 'Written about in',
  credential: {
    title: 'Who wrote it down',
    text: `${brand.name} was put together by people who teach walking, and examined in a knee study.`,
    claims: ['knee-study', 'training'],
  },
} as const;

export const firstCall = {
  id: 'first-call',
  eyebrow: 'The call',
  title: 'When the clinic calls',
  lead: 'Five minutes, no homework.',
  moments: [
    { title: 'Who is calling', text: 'The clinic, by its name.' },
    { title: 'What they ask', text: 'Which knee, since when, and what you would like to do again.' },
    { title: 'What you ask', text: 'How long, how often, how much.' },
    { title: 'What follows', text: 'A first look, if you both think it makes sense.' },
  ],
} as const;

export const comparison = {
  id: 'options',
  eyebrow: 'Other ways',
  title: 'What else there is for a stiff knee',
  lead: 'Each has its place.',
  labels: { operation: 'Operation?', examined: 'Does someone look at your knee?', note: 'Worth knowing' },
  rows: [
    {
      option: brand.name,
      operation: 'None',
      examined: 'A therapist',
      note: 'Takes practice, every day.',
      own: true,
    },
    {
      option: 'A new joint',
      operation: 'A big one',
      examined: 'A surgeon',
      note: 'Sometimes the right answer.',
      own: false,
    },
    {
      option: 'Videos at home',
      operation: 'None',
      examined: 'Nobody',
      note: 'Free, and nobody corrects you.',
      own: false,
    },
    {
      option: 'Sitting it out',
      operation: 'None',
      examined: 'Nobody',
      note: 'Stiff joints like to be moved.',
      own: false,
    },
  ],
} as const;

export type PrivacyFactKey = 'receiver' | 'noTrackers' | 'noPayment' | 'stop';

export const privacyFacts = {
  id: 'privacy-facts',
  eyebrow: 'Your entries, your choice',
  title: 'Where your answers go',
  lead: 'Short, because there is little to tell.',
  facts: [
    { key: 'receiver', title: 'To one clinic', text: 'The nearest, and those who run this site for us.' },
    {
      key: 'noTrackers',
      title: 'To no advertiser',
      text: 'Without your yes this page asks no other company for anything.',
    },
    { key: 'noPayment', title: 'To no bank', text: 'Nothing is paid here.' },
    { key: 'stop', title: 'And no further', text: 'A text with STOP ends it.' },
  ] satisfies { key: PrivacyFactKey; title: string; text: string }[],
  policyLabel: 'The whole privacy notice',
} as const;
