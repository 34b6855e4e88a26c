import { brand } from './brand.ts';
import { averageGain } from './measures.ts';

/** The first screen of the landing page. `¹` marks a study claim and becomes a link to `studyNote` (calls.ts). */

/** A figure and the text that says what it counts. */
export interface StudyFact {
  /** Id in the registry of claims (claims.ts). */
  claim: string;
  figure: string;
  text: string;
}

export const promoBanner = {
  pill: 'HELLO',
  line: 'Stairs again?',
  detail: 'Knee practice with a clinic near you.',
} as const;

export const hero = {
  title: 'Bend a little further each week.',
  lead: `${brand.name} trains stiff knees with patient practice, guided by a clinic near you.`,
  zipLabel: 'Your ZIP code',
  zipPlaceholder: '97201',
  factsLabel: 'What the knee study counted',
  facts: [
    { claim: 'most-gained', figure: '44 of 48', text: 'participants bent their knee further¹' },
    { claim: 'stairs', figure: '31', text: 'participants reported easier stairs¹' },
    { claim: 'no-injuries', figure: '0', text: 'injuries were reported¹' },
  ] satisfies StudyFact[],
  gains: [
    { claim: 'average-gain-bend', figure: `+${averageGain.bend.toFixed(2)}`, text: 'degrees of bend' },
    { claim: 'average-gain-raise', figure: `+${averageGain.raise.toFixed(2)}`, text: 'degrees of raise' },
  ] satisfies StudyFact[],
  gainsCaption: 'Average of the participants after twelve weeks¹',
} as const;
