import { brand } from './brand.ts';
import { averageGain } from './measures.ts';

/**
 * The texts of the provider finder, without its form's (stepForms.ts). `¹` marks a study claim.
 */
export const find = {
  title: 'Where do your knees live?',
  lead: `${brand.name} is taught by independent clinics. Tell us your ZIP code, and we look for the nearest.`,
  fact: `In the knee study 44 of 48 participants gained: on average ${averageGain.bend} degrees of bend after twelve weeks.¹`,
  nextTitle: 'From here',
  next: ['You see the nearest clinic.', 'It calls you about a first look.', 'You decide whether to begin.'],
  note: 'Nothing is paid here. Your clinic tells you its fees.',
} as const;
