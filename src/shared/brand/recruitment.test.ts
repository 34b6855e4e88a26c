import { describe, expect, test } from 'vitest';
import { applicationConsent, applicationTexts } from './application.ts';
import { claims } from './claims.ts';
import type { StudyFact } from './hero.ts';
import { longDate } from '#shared/formats/writing.ts';
import { meets } from '#test/support/meets.ts';
import * as recruitment from './recruitment.ts';

const { practiceGrowth, recruitmentFaq, recruitmentHero, research } = recruitment;
const facts: StudyFact[] = [...research.facts, ...practiceGrowth.figures, ...recruitmentHero.facts];

/** Every string of the page, however deep. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

const words = strings([{ ...recruitment }, applicationTexts, applicationConsent]);

describe('the texts of the recruitment page', () => {
  test.each(facts)('the figure $figure $text is in the registry of claims', ({ claim, figure, text }) => {
    meets('D.copy.05');
    const filed = claims.find(({ id }) => id === claim)?.text.toLowerCase() ?? '';
    const [first = ''] = figure.toLowerCase().split(' ');
    expect(filed).toContain(first);
    const claimed = text.endsWith('¹') ? text.slice(0, -1) : '';
    expect(filed).toContain(claimed);
  });

  test('mark every study figure', () => {
    expect(research.facts.filter(({ text }) => !text.endsWith('¹'))).toEqual([]);
  });

  test('mention income only beside the note that it is no promise', () => {
    const [note = ''] = practiceGrowth.earningsNote.toLowerCase().split(/[.:;]/);
    expect(note).not.toBe('');
    const beside = [
      ...strings(practiceGrowth.figures),
      ...recruitmentFaq.items
        .map(({ answer }) => strings(answer))
        .filter((texts) => texts.join(' ').toLowerCase().includes(note))
        .flat(),
    ];
    const income = words.filter((text) => text.includes('$'));
    expect(income).not.toEqual([]);
    expect(income.filter((text) => !beside.includes(text))).toEqual([]);
  });

  test('name the time left and the end of the offer', () => {
    expect(recruitment.timeLeftSentence(14, 1, 0)).toMatch(/14.*1.*0/);
    const end = recruitment.offerEndText('2027-03-01T17:05:00.000Z');
    expect(end).toContain(longDate('2027-03-01'));
    expect(end).toContain('17:05');
  });
});
