import { brand } from './brand.ts';
import { averageGain } from './measures.ts';

/**
 * The texts of the provider finder, without its form's (stepForms.ts). `provider` is for a provider's own host. `¹`
 * marks a study claim.
 */
export const find = {
  title: 'Want to Increase Size?',
  lead: {
    brand: `${brand.name} is a non-surgical protocol performed by independent, certified providers. Tell us where you are, and we find the one nearest to you.`,
    provider: `${brand.name} is a non-surgical protocol performed by this clinic, an independent, certified provider. Tell it how to reach you.`,
  },
  fact: `In the clinical study, 100% of participants saw gains: on average ${averageGain.length} inches in length and ${averageGain.girth} inches in girth after six months.¹`,
  nextTitle: 'What happens next',
  next: {
    brand: [
      'You see which provider is near you before you give your name.',
      'That provider contacts you to arrange a consultation.',
      'You ask everything you want to know, then decide.',
    ],
    provider: [
      'You leave your name and how to reach you.',
      'The clinic contacts you to arrange a consultation.',
      'You ask everything you want to know, then decide.',
    ],
  },
  note: 'No payment is taken on this site. Fees are between you and your provider.',
} as const;
