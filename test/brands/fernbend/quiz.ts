/**
 * The texts of the quiz page, without its form's (stepForms.ts). `¹` marks a study claim.
 */
export const quiz = {
  title: 'Two questions, and a knee clinic answers',
  lead: 'Where you live comes first, so that you see which clinic is close.',
  factsLabel: 'Before you begin',
  facts: [
    { key: 'studied', text: 'Examined: 44 of 48 participants bent their knee further¹' },
    { key: 'private', text: 'Your details go to one clinic' },
    { key: 'free', text: 'The first look costs nothing' },
    { key: 'open', text: 'You decide afterwards' },
  ],
} as const;
