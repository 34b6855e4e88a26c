import { describe, expect, test } from 'vitest';
import { claims } from './claims.ts';
import * as landing from './landing.ts';
import { microsite } from './microsite.ts';

const facts: landing.StudyFact[] = [...landing.hero.facts, ...landing.hero.gains];

/** Every string of the page, however deep. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

const words = strings({ ...landing });

describe('landing page words', () => {
  test.each(facts)('$figure stands in the registry of claims as it is shown', ({ claim, figure }) => {
    const filed = claims.find(({ id }) => id === claim);
    expect(filed?.text).toContain(figure.replace('+', ''));
  });

  test.each(microsite.benefits)('$text of a clinic site stands in the registry of claims', ({ claim }) => {
    expect(claims.map(({ id }) => id)).toContain(claim);
  });

  test('every study figure in running text carries its footnote mark', () => {
    const figures = words.filter((text) => /1\.04 inches|100% of part|0% of part|32 men/.test(text));
    expect(figures.length).toBeGreaterThan(3);
    expect(figures.filter((text) => !text.includes('¹'))).toEqual([]);
  });

  test('a text holds at most one mark, as the renderer expects', () => {
    expect(words.filter((text) => text.split('¹').length > 2)).toEqual([]);
  });
});
