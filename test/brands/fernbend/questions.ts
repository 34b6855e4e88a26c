import type { Question } from '#shared/leads/questions.ts';

/**
 * Optional questions of the lead forms, above the consent. To add one, add an entry here and raise `questionsVersion`.
 * Answers are stored with the question's words, so a question may be changed or removed at any time; its id is never
 * used for another one.
 */
export const questions = [
  {
    id: 'knee',
    forms: ['landing', 'microsite', 'quiz', 'find'],
    label: 'Which knee is it?',
    kind: 'choice',
    options: [
      { value: 'left', label: 'Left knee' },
      { value: 'right', label: 'Right knee' },
      { value: 'both', label: 'Both knees' },
    ],
  },
  {
    id: 'goal',
    forms: ['landing', 'microsite', 'quiz', 'find'],
    label: 'What would you like to do again?',
    kind: 'text',
    lengthMax: 120,
  },
  {
    id: 'surgery',
    forms: ['landing', 'microsite', 'quiz', 'find'],
    label: 'Have you had knee surgery?',
    kind: 'yesNo',
  },
] as const satisfies readonly Question[];

/** Named in the evidence as part of the form's version. Increase it when a question is added, changed or removed. */
export const questionsVersion = 2;
