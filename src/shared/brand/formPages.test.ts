import { describe, expect, test } from 'vitest';
import { claims } from './claims.ts';
import { find } from './find.ts';
import { quiz } from './quiz.ts';
import * as variant from './variant.ts';

/** Every string, however deep. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

const words = strings({ ...variant, quiz, find });

describe('the words of the form pages', () => {
  test('every claim they name stands in the registry', () => {
    const named = [
      ...variant.variantHero.benefits.map(({ claim }) => claim),
      ...variant.variantHero.gains.map(({ claim }) => claim),
      ...variant.pressStrip.credential.claims,
    ];
    const filed = claims.map(({ id }) => id);
    expect(named.filter((id) => !filed.includes(id))).toEqual([]);
  });

  test('every study figure carries its footnote mark, and no text two', () => {
    const figures = words.filter((text) => /1\.04 inches|100% of part|0% of part/.test(text));
    expect(figures.length).toBeGreaterThan(2);
    expect(figures.filter((text) => text.split('¹').length !== 2)).toEqual([]);
  });
});
