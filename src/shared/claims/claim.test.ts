import { describe, expect, test } from 'vitest';
import { claims } from '#shared/brand/claims.ts';
import { byModule } from '#test/support/brandTerms.ts';
import { type Claim, listMissingFacts, type Study, withoutClaims } from './claim.ts';

const hidden = [{ id: 'proof', says: ['was proven', '100% gained'], words: ['proven, '] }];

describe('copy without hidden claims', () => {
  test.each([
    ['It was proven. It is private.', 'It is private.'],
    ['In 2.5 years 100% GAINED.¹[proof] An average.', 'An average.'],
    ['A proven, private protocol.', 'A private protocol.'],
    ['It was proven.¹', ''],
    ['Others gained.¹[other] It was proven!¹[proof] Ask.', 'Others gained.¹[other] Ask.'],
  ])('%j becomes %j', (text, rest) => {
    expect(withoutClaims(text, hidden)).toBe(rest);
    expect(withoutClaims(text, [])).toBe(text);
  });

  test('loses the entries of lists that state one, name one or lose a text', () => {
    const copy = {
      title: 'Why it was proven',
      points: ['Was proven', 'Is private'],
      facts: [
        { claim: 'proof', figure: '9', text: 'of ten' },
        { claim: 'other', figure: '1', text: 'of ten' },
      ],
      reasons: [
        { key: 'a', title: 'Good', text: 'It was proven. It is private.' },
        { key: 'b', title: 'Better', text: 'It was proven.' },
        { key: 'c', title: 'Asked', answer: ['100% gained.'] },
      ],
    };
    expect(withoutClaims(copy, hidden)).toEqual({
      title: '',
      points: ['Is private'],
      facts: [{ claim: 'other', figure: '1', text: 'of ten' }],
      reasons: [{ key: 'a', title: 'Good', text: 'It is private.' }],
    });
  });
});

const brandCopy = byModule(
  import.meta.glob(['../brand/**/*.ts', '!**/*.test.ts', '!**/claims.ts'], { eager: true }),
  'brand',
);

/** Every string, however deep. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

const registry: readonly Claim[] = claims;

test.each(registry)('the wording of $id is in its own text and in texts of the brand', (claim) => {
  const states = (text: string): boolean =>
    [...claim.says, ...claim.words].some((phrase) => text.toLowerCase().includes(phrase.toLowerCase()));
  expect(states(claim.text)).toBe(true);
  const named = JSON.stringify(brandCopy).includes(`"claim":"${claim.id}"`);
  expect(named || strings(brandCopy).some(states)).toBe(true);
  expect(strings(withoutClaims(brandCopy, [claim])).filter(states)).toEqual([]);
});

const study: Study = {
  ...{
    title: 'A study',
    participants: 40,
    months: 12,
    design: 'Randomized',
    measuredBy: 'An independent lab',
  },
  ...{ funding: 'A foundation', limits: 'One region', citation: null, url: null },
  ...{ reviewedBy: null, reviewedOn: null },
};

test('a study is published once design, measurement, funding and limits are known', () => {
  expect(listMissingFacts(study)).toEqual([]);
  for (const field of ['design', 'measuredBy', 'funding', 'limits'] as const)
    for (const empty of [null, ' ']) expect(listMissingFacts({ ...study, [field]: empty })).toEqual([field]);
});
