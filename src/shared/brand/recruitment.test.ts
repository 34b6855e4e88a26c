import { describe, expect, test } from 'vitest';
import { applicationConsent, applicationTexts } from './application.ts';
import { claims } from './claims.ts';
import type { StudyFact } from './landing.ts';
import * as recruitment from './recruitment.ts';

const { practiceGrowth, recruitmentFaq, recruitmentHero, research } = recruitment;
const facts: StudyFact[] = [...research.facts, ...practiceGrowth.figures, ...recruitmentHero.facts];

/** Every string of the page, however deep. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

const words = strings([{ ...recruitment }, applicationTexts, applicationConsent]);

describe('words of the recruitment page', () => {
  test.each(facts)('$figure $text stands in the registry of claims', ({ claim, figure, text }) => {
    const filed = claims.find(({ id }) => id === claim)?.text.toLowerCase() ?? '';
    const [first = ''] = figure.toLowerCase().split(' ');
    expect(filed).toContain(first);
    const claimed = text.endsWith('¹') ? text.slice(0, -1) : '';
    expect(filed).toContain(claimed);
  });

  test('every study figure carries its footnote mark', () => {
    expect(research.facts.filter(({ text }) => !text.endsWith('¹'))).toEqual([]);
  });

  test('whatever speaks of income stands beside the note that it is no promise', () => {
    expect(practiceGrowth.earningsNote).toMatch(/^Not a promise of earnings/);
    const answers = recruitmentFaq.items.filter(({ answer }) =>
      strings(answer).some((text) => text.includes('$2K')),
    );
    expect(answers).toHaveLength(1);
    expect(strings(answers).join(' ')).toContain('not a promise of earnings');
    expect(words.filter((text) => text.includes('$')).length).toBe(2);
  });

  test('the time left is said in words that fit the number', () => {
    expect(recruitment.timeLeftSentence(14, 1, 0)).toBe('14 days, 1 hour, 0 minutes');
    expect(recruitment.offerEndText('2027-03-01T17:05:00.000Z')).toBe('March 1, 2027, 17:05 UTC');
  });
});
