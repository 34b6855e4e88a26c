import { brand } from './brand.ts';
import { mark } from './calls.ts';
import type { ClaimId } from './claims.ts';
import { averageGain, sliders, studyParticipants } from './measures.ts';

/** The first screen of the landing page. `¹` is the mark of the entry's claim (`mark` in calls.ts). */

/** A figure and the text that says what it counts. */
export interface StudyFact {
  /** Id in the registry of claims (claims.ts). */
  claim: ClaimId;
  figure: string;
  text: string;
}

export const promoBanner = {
  pill: 'NEW',
  line: 'Increase Size!',
  detail: 'Without surgery, with a certified provider near you.',
} as const;

export const hero = {
  title: 'Measured gains. No surgery.',
  lead: `${brand.name} is a clinically studied male enhancement protocol, performed in private by a certified provider near you.`,
  zipLabel: 'Your ZIP code',
  factsLabel: 'What the clinical study found',
  facts: [
    { claim: 'all-gained', figure: '100%', text: 'of participants saw gains¹' },
    { claim: 'erectile-function', figure: '32', text: 'men reported improved erectile function¹' },
    { claim: 'no-adverse-effects', figure: '0%', text: 'reported adverse effects¹' },
  ] satisfies StudyFact[],
  gains: [
    { claim: 'average-gain-length', figure: `+${averageGain.length.toFixed(2)}`, text: 'inches in length' },
    { claim: 'average-gain-girth', figure: `+${averageGain.girth.toFixed(2)}`, text: 'inches in girth' },
  ] satisfies StudyFact[],
  gainsCaption: `Average gain of study participants after six months${mark('six-months')}`,
  figure: {
    name: 'Fig. 1',
    sample: `n = ${studyParticipants}`,
    limit: `One stroke for each of the ${studyParticipants} participants. The starting points, ${sliders.length.initial} and ${sliders.girth.initial} inches, are the calculator’s. An average doesn’t predict your own result.`,
  },
} as const;
