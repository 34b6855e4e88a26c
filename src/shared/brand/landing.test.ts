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

  test('anchors, calls to action, steps and reasons read as the specification writes them', () => {
    const { callToAction, calculator, faq, howItWorks, promoBanner, providerFormAnchor, trust } = landing;
    expect([howItWorks.id, trust.id, calculator.id, faq.id, providerFormAnchor]).toEqual([
      'how-it-works',
      'what-is',
      'size-calculator',
      'faq',
      'provider-form',
    ]);
    expect(Object.values(callToAction)).toEqual([
      'Get Started Today!',
      'Claim Your FREE Consult Now!',
      'Find Out If You Qualify!',
    ]);
    expect([promoBanner.pill, promoBanner.line]).toEqual(['NEW', 'Increase Size!']);
    expect(howItWorks.steps.map(({ title }) => title)).toEqual([
      'Free Consultation',
      'Get the protocol',
      'Enjoy Results',
    ]);
    expect(trust.reasons.map(({ title }) => title)).toEqual([
      'Clinically Proven',
      'Urologist Recommended',
      '100% Non-Surgical',
    ]);
    expect(faq.items).toHaveLength(5);
  });
});
