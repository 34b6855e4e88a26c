import type { Question } from '#shared/leads/questions.ts';

/**
 * Optional questions of the lead forms, above the consent. To add one, add an entry here and raise `questionsVersion`.
 * Answers are stored with the question's words, so a question may be changed or removed at any time; its id is never
 * used for another one.
 */
export const questions = [
  {
    id: 'best_time',
    forms: ['landing', 'microsite', 'quiz', 'find'],
    label: 'Best time to call',
    kind: 'choice',
    options: [
      { value: 'morning', label: 'Morning' },
      { value: 'afternoon', label: 'Afternoon' },
      { value: 'evening', label: 'Evening' },
    ],
  },
] as const satisfies readonly Question[];

/** Named in the evidence as part of the form's version. Increase it when a question is added, changed or removed. */
export const questionsVersion = 1;
