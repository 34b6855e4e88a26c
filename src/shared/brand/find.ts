import { brand } from './brand.ts';
import { mark } from './calls.ts';
import { averageGain } from './measures.ts';

/**
 * The texts of the provider finder, without its form's (stepForms.ts). `mark` ends a sentence that states a study
 * claim.
 */
export const find = {
  title: 'Want to Increase Size?',
  lead: `${brand.name} is a non-surgical protocol performed by independent, certified providers. Tell us where you are, and we find the one nearest to you.`,
  fact: `In the clinical study, 100% of participants saw gains: on average ${averageGain.length} inches in length and ${averageGain.girth} inches in girth after six months.${mark('all-gained')}`,
  nextTitle: 'What happens next',
  next: [
    'You see which provider is near you before you give your name.',
    'They contact you to arrange a consultation.',
    'Ask anything you like, then decide.',
  ],
  note: 'No payment is taken on this site. Fees are between you and your provider.',
} as const;
