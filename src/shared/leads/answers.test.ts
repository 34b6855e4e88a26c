import { describe, expect, test } from 'vitest';
import { leadMessages } from '#shared/brand/leadMessages.ts';
import { leadCreateSchema } from './leads.ts';
import { type Question } from './questions.ts';
import { listAnswers } from './answers.ts';

const questions: readonly Question[] = [
  {
    id: 'pet',
    forms: ['landing'],
    label: 'Which pet?',
    kind: 'choice',
    options: [
      { value: 'cat', label: 'A cat' },
      { value: 'dog', label: 'A dog' },
    ],
  },
  { id: 'wish', forms: ['landing', 'find'], label: 'A wish?', kind: 'text', lengthMax: 12 },
  { id: 'first', forms: ['find'], label: 'Is it the first?', kind: 'yesNo' },
];
const labels = { yes: 'Indeed', no: 'Not yet' };
const contact = {
  first_name: 'Kit',
  last_name: 'Elmsworth',
  email: 'kit@example.com',
  phone: '(303) 555-0142',
  zip_code: '80202',
  acceptance_consent: true,
};
const schema = leadCreateSchema(leadMessages, questions);

/** What is stored of the answers in a body. */
function stored(answers: unknown, form = 'landing') {
  const { answers: given = {}, ...lead } = schema.parse({ ...contact, form, answers });
  return listAnswers(questions, labels, { form: lead.form, given });
}

describe('answers to the questions of a brand', () => {
  test('are stored in the words of the form, in the order of the questions', () => {
    expect(stored({ wish: 'Walks', pet: 'dog' })).toEqual([
      { id: 'pet', question: 'Which pet?', answer: 'A dog' },
      { id: 'wish', question: 'A wish?', answer: 'Walks' },
    ]);
    expect(stored({ first: 'yes' }, 'find')).toEqual([
      { id: 'first', question: 'Is it the first?', answer: 'Indeed' },
    ]);
    expect(stored({ first: 'no' }, 'find')).toMatchObject([{ answer: 'Not yet' }]);
  });

  test('to questions of another form are left out, and a script may answer all', () => {
    const all = { pet: 'cat', wish: 'Walks', first: 'no' };
    expect(stored(all).map(({ id }) => id)).toEqual(['pet', 'wish']);
    expect(stored(all, 'find').map(({ id }) => id)).toEqual(['wish', 'first']);
    expect(stored(all, 'quiz')).toEqual([]);
    expect(stored(all, 'api').map(({ id }) => id)).toEqual(['pet', 'wish', 'first']);
  });

  test.each([
    null,
    'cat',
    7,
    true,
    [],
    ['cat'],
    [{ pet: 'cat' }],
    { pet: ['cat'] },
    { pet: { toString: 'cat' } },
    { pet: 0, wish: 12, first: true },
    { pet: 'A cat', first: 'Indeed', wish: ' \u0000\u200b ' },
    { cat: 'pet', other: 'cat' },
    JSON.parse('{"__proto__":{"pet":"cat"},"constructor":"cat"}'),
  ])('that cannot be read cost nothing but themselves: %j', (answers) => {
    expect(stored(answers)).toEqual([]);
  });

  test('in text are cleaned and cut at their limit', () => {
    expect(stored({ wish: `  \u0000a${'b'.repeat(10_000)}` })).toMatchObject([
      { answer: `a${'b'.repeat(11)}` },
    ]);
    expect(stored({ wish: 'ten long w\ud83d\udc36' })).toMatchObject([{ answer: 'ten long w🐶' }]);
    expect(stored({ wish: 'elevenlong \ud83d\udc36' })).toMatchObject([{ answer: 'elevenlong \ufffd' }]);
    expect(stored({ wish: 'line\r\nbreak' })).toMatchObject([{ answer: 'line break' }]);
  });
});
