import { describe, expect, test } from 'vitest';
import { meets } from '#test/support/meets.ts';
import * as calls from './calls.ts';
import { claims, studyFigures } from './claims.ts';
import * as start from './hero.ts';
import * as landing from './landing.ts';
import { microsite } from './microsite.ts';

const facts: start.StudyFact[] = [...start.hero.facts, ...start.hero.gains];

/** Every string of the page, however deep. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

const words = strings({ ...calls, ...start, ...landing });

describe('the texts of the landing page', () => {
  test.each(facts)('the figure $figure is in the registry of claims', ({ claim, figure }) => {
    meets('D.copy.05');
    const filed = claims.find(({ id }) => id === claim);
    expect(filed?.text).toContain(figure.replace('+', ''));
  });

  test.each(microsite.benefits)('the benefit $text is in the registry of claims', ({ claim }) => {
    expect(claims.map(({ id }) => id)).toContain(claim);
  });

  test('mark every study figure', () => {
    const figures = words.filter((text) => studyFigures.test(text));
    expect(figures).not.toEqual([]);
    expect(figures.filter((text) => !text.includes('¹'))).toEqual([]);
  });

  test('have at most one mark each', () => {
    expect(words.filter((text) => text.split('¹').length > 2)).toEqual([]);
  });
});
