import { brand } from './brand.ts';
import { averageGain, type Dimension } from './measures.ts';

/** The texts of the landing page. `¹` marks a study claim and links to `studyNote`. */

const gainSentence = `${averageGain.bend} degrees more bend and ${averageGain.raise} degrees more raise`;

export type StepKey = 'consultation' | 'protocol' | 'results';

export const howItWorks = {
  id: 'how-it-works',
  eyebrow: 'The method',
  title: 'Look, practise, measure',
  steps: [
    {
      key: 'consultation',
      title: 'A first look',
      text: 'Leave your ZIP code and number. A clinic near you calls and looks at how your knee moves.',
    },
    {
      key: 'protocol',
      title: 'Daily practice',
      text: 'Warmth, taping, slow loading and balance, in one plan you can keep up at home.',
    },
    {
      key: 'results',
      title: 'Measure again',
      text: `Participants were measured after twelve weeks: ${gainSentence}, on average.¹`,
    },
  ] satisfies { key: StepKey; title: string; text: string }[],
} as const;

export type ReasonKey = 'proven' | 'recommended' | 'nonSurgical';

export const trust = {
  id: 'what-is',
  eyebrow: `Why ${brand.name}`,
  title: 'Degrees can be counted',
  lead: 'A goniometer does not flatter.',
  reasons: [
    {
      key: 'proven',
      title: 'Examined in a knee study',
      text: `44 of 48 participants gained, on average ${gainSentence} after twelve weeks.¹`,
    },
    {
      key: 'recommended',
      title: 'Taught by therapists',
      text: 'Physical therapists teach every exercise and watch you do it.',
    },
    {
      key: 'nonSurgical',
      title: 'No operation',
      text: 'Nothing is cut. In the knee study 0 injuries were reported.¹',
    },
  ] satisfies { key: ReasonKey; title: string; text: string }[],
} as const;

export const calculator = {
  id: 'size-calculator',
  eyebrow: 'Your range',
  title: 'Your angles, plus the average of the study',
  lead: 'Set how far your knee goes today. It stays on this page.',
  unit: 'deg',
  unitLong: 'degrees',
  now: 'Today',
  projected: 'With the average',
  gain: 'Gain in the study',
  labels: { bend: 'Bend', raise: 'Raise' },
  footnote: 'What participants gained on average, added to your own angle. Nobody can foretell yours.',
} as const;

/** Announced when a slider comes to rest. Figures are in degrees with two decimals. */
export function projectionSentence(projected: (dimension: Dimension) => string): string {
  return `With the average gain: bend ${projected('bend')} degrees, raise ${projected('raise')} degrees.`;
}

export const faq = {
  id: 'faq',
  eyebrow: 'Questions',
  title: 'What people with stiff knees ask',
  lead: 'Your clinic answers the rest.',
  items: [
    {
      question: `What is ${brand.name}?`,
      answer: ['A plan of knee exercises, taught by independent clinics and practised at home.'],
    },
    { question: 'What do I do all day?', answer: ['Twenty minutes: warmth, taping, slow loading, balance.'] },
    { question: 'Does it hurt?', answer: ['It should not. 0 injuries were reported in the knee study.¹'] },
    {
      question: 'How far will my knee bend?',
      answer: [`Nobody knows beforehand. The average: ${gainSentence}.¹`],
    },
    {
      question: 'How do I begin?',
      answer: ['Leave your number in the form on this page, and a clinic calls you.'],
    },
  ],
} as const;

export const closingBand = {
  eyebrow: 'Find a clinic',
  title: 'Let someone look at your knee',
  lead: 'One form, one call, one first look.',
  nextTitle: 'From here',
  next: ['We look for the nearest clinic.', 'It calls you.', 'You decide whether to begin.'],
  payment: 'Nothing is paid here. Your clinic tells you its fees.',
} as const;
