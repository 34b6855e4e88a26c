import { describe, expect, test } from 'vitest';
import { claims } from './claims.ts';
import { find } from './find.ts';
import { quiz } from './quiz.ts';
import { stepForms } from './stepForms.ts';
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

  test('headings, buttons and toasts read as the specification writes them', () => {
    expect(variant.variantForm.banner).toBe('Limited Spots Available!');
    expect(variant.pressStrip.title).toBe('As Seen On');
    expect(find.title).toBe('Want to Increase Size?');
    expect(stepForms.quiz).toMatchObject({
      submitting: 'Wait! Submitting...',
      failureTitle: 'Error',
      failure: 'Failed to submit form. Please try again later.',
      zip: { heading: "What's your zip code?" },
      zipToast: { title: 'Invalid Zip Code', description: 'Please enter a valid 5-digit zip code' },
      details: { heading: 'Tell us about you:' },
    });
    expect(stepForms.find).toMatchObject({
      submit: 'Find My Provider',
      submitting: 'Submitting...',
      failureTitle: 'Something went wrong',
      failure: 'Please try again later.',
      zip: { heading: 'Where Are You Located?', next: 'Find Providers' },
      zipToast: { title: 'ZIP Code Required', description: 'Please enter your ZIP code to continue.' },
      details: { heading: 'Complete Your Information' },
    });
    for (const form of [stepForms.quiz, stepForms.find])
      expect(form.consentToast).toEqual({
        title: 'Consent Required',
        description: 'You must agree to receive communications to continue.',
      });
  });
});
