import { describe, expect, test } from 'vitest';
import { claims, studyFigures } from './claims.ts';
import { find } from './find.ts';
import { quiz } from './quiz.ts';
import * as variant from './variant.ts';

/** Every string, however deep. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

const words = strings({ ...variant, quiz, find });

describe('the texts of the form pages', () => {
  test('name only claims of the registry', () => {
    const named = [
      ...variant.variantHero.benefits.map(({ claim }) => claim),
      ...variant.pressStrip.credential.claims,
    ];
    const filed = claims.map(({ id }) => id);
    expect(named.filter((id) => !filed.includes(id))).toEqual([]);
  });

  test('mark every study figure once', () => {
    const figures = words.filter((text) => studyFigures.test(text));
    expect(figures).not.toEqual([]);
    expect(figures.filter((text) => text.split('¹').length !== 2)).toEqual([]);
  });
});
