import { expect, test } from 'vitest';
import { pageFormKeys } from '#shared/leads/leadForms.ts';
import { listValues, type Question } from '#shared/leads/questions.ts';
import { isFirstBrand } from '#test/support/firstBrand.ts';
import { questions, questionsVersion } from './questions.ts';

const asked: readonly Question[] = questions;

/** A value and its label, of all choices. */
const options = asked.flatMap((question) => (question.kind === 'choice' ? question.options : []));
const limits = asked.flatMap((question) => (question.kind === 'text' ? [question.lengthMax] : []));

test('each question has its own id, a label, known forms and answers that fit', () => {
  const ids = asked.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9_]{0,39}$/);
  for (const { label } of [...asked, ...options]) expect(label).toMatch(/^\S.{0,98}\S$/u);
  for (const { value } of options) expect(value).toMatch(/^[a-z0-9_-]{1,40}$/);
  expect(limits.filter((max) => max < 1 || max > 200)).toEqual([]);
  expect(asked.flatMap(({ forms }) => forms).filter((form) => !pageFormKeys.includes(form))).toEqual([]);
  const values = asked.map((question) => (question.kind === 'text' ? ['-'] : listValues(question)));
  expect(values.filter((list) => list.length === 0 || new Set(list).size < list.length)).toEqual([]);
  expect(questionsVersion).toBeGreaterThan(0);
});

// Raise `questionsVersion` with each change here: evidence names it.
test.skipIf(!isFirstBrand)('every lead form asks for the best time to call', () => {
  expect([questionsVersion, asked]).toEqual([
    1,
    [
      {
        id: 'best_time',
        forms: [...pageFormKeys],
        label: 'Best time to call',
        kind: 'choice',
        options: [
          { value: 'morning', label: 'Morning' },
          { value: 'afternoon', label: 'Afternoon' },
          { value: 'evening', label: 'Evening' },
        ],
      },
    ],
  ]);
});
