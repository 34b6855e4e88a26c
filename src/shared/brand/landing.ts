import { brand } from './brand.ts';
import { mark } from './calls.ts';
import { averageGain, type Dimension, studyParticipants } from './measures.ts';

/** The texts of the landing page. `mark` ends a sentence that states a study claim. */

const treatment = brand.name;
const gainSentence = `${averageGain.length} inches in length and ${averageGain.girth} inches in girth`;

export const howItWorks = {
  id: 'how-it-works',
  eyebrow: 'How It Works',
  title: 'Three private steps',
  steps: [
    {
      key: 'consultation',
      when: 'Today',
      title: 'Free Consultation',
      text: 'Leave your ZIP code and contact details. A certified provider near you calls, answers your questions and explains whether you qualify.',
    },
    {
      key: 'protocol',
      when: 'On your provider’s schedule',
      title: 'Get the protocol',
      text: 'Vacuum therapy, injections, stretching exercises and supplements in one plan that your provider walks you through.',
    },
    {
      key: 'results',
      when: 'After six months',
      title: 'Enjoy Results',
      text: `Study participants were measured after six months. On average, they gained ${gainSentence}.${mark('average-gain-length')}`,
    },
  ],
} as const;

export const trust = {
  id: 'what-is',
  eyebrow: `Why Trust ${treatment}`,
  title: 'Figures, not adjectives',
  lead: 'A private decision deserves plain facts.',
  reasons: [
    {
      key: 'proven',
      title: 'Clinically Proven',
      text: `In the clinical study, 100% of participants saw gains. After six months the average was ${gainSentence}.${mark('average-gain-length')}`,
    },
    {
      key: 'recommended',
      title: 'Urologist Recommended',
      text: `Recommended by urologists, and performed only by providers who are trained and certified in the protocol.${mark('urologist-recommended')}`,
    },
    {
      key: 'nonSurgical',
      title: '100% Non-Surgical',
      text: `No surgery at any point in the protocol. In the clinical study, 0% of participants reported adverse effects.${mark('no-adverse-effects')}`,
    },
  ],
} as const;

export const calculator = {
  id: 'size-calculator',
  eyebrow: 'Potential Results',
  title: 'Your numbers, plus the study’s average',
  lead: 'Set your current size. Your numbers stay on your device.',
  unit: 'in',
  unitLong: 'inches',
  /** Before a field to type the value into. */
  exact: 'Type it',
  now: 'Now',
  projected: 'Projected',
  gain: 'Average gain',
  labels: { length: 'Length', girth: 'Girth' },
  footnote: `The study participants’ average gain after six months, added to your number. n = ${studyParticipants}. An average doesn’t predict your result.`,
} as const;

/** Announced when a slider comes to rest. Figures have two decimals. */
export function projectionSentence(projected: (dimension: Dimension) => string): string {
  return `Projected length ${projected('length')} inches, ${averageGain.length} more. Projected girth ${projected('girth')} inches, ${averageGain.girth} more.`;
}

export const faq = {
  id: 'faq',
  eyebrow: 'FAQ',
  title: 'Asked often, answered plainly',
  lead: 'Bring any other questions to your consultation.',
  items: [
    {
      question: `What is ${treatment}?`,
      answer: [
        `${treatment} is a non-surgical male enhancement protocol performed by independent, certified providers in their own clinics.`,
        'This site provides information and connects you with one of them. It offers no medical care and accepts no payment; fees are between you and your provider.',
      ],
      hasPlainTalk: true,
    },
    {
      question: 'How does it work?',
      answer: [
        'The protocol combines four parts: vacuum therapy, injections, stretching exercises and supplements.',
        'Your provider explains each part, and what it requires of you, before you decide anything.',
      ],
    },
    {
      question: 'Is it safe?',
      answer: [
        `There is no surgery. In the clinical study, 0% of participants reported adverse effects.${mark('no-adverse-effects')}`,
        'That describes the study’s participants, not every man. Discuss your health and any medicines you use with your provider. “What can go wrong” on this page says what can happen.',
      ],
      hasPlainTalk: true,
    },
    {
      question: 'What improvement can I expect?',
      answer: [
        `Expect an improvement of nearly an inch in length and up to half an inch in girth. These are round numbers: the averages measured in the study after six months were ${gainSentence}.${mark('average-gain-length')}`,
        'Results vary from man to man, and no one can promise you a result.',
      ],
    },
    {
      question: 'How do I get started?',
      answer: [
        'Leave your ZIP code and contact details in the form on this page. We match you with a certified provider near you, who contacts you to arrange your consultation.',
        'There is no obligation, and nothing to pay on this site.',
      ],
    },
  ],
} as const;

export const closingBand = {
  eyebrow: 'Find a Provider',
  title: 'Talk to a certified provider near you',
  lead: 'A private, no-obligation conversation. It takes less than a minute to ask.',
  nextTitle: 'What happens next',
  next: [
    'We look for the certified provider nearest your ZIP code.',
    'They contact you to arrange your consultation.',
    'Ask anything you like, then decide.',
  ],
  payment: 'You pay nothing on this site. Fees are between you and your provider.',
} as const;
