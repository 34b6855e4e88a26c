import { describe, expect, test } from 'vitest';
import { sliders } from '#shared/brand/measures.ts';
import { nativeStep, nearestOnGrid, steppedOnGrid, stepsForKey } from './sliderGrid.ts';

describe('slider grid', () => {
  test('the default values are never snapped: the native step is any until the slider is on its grid', () => {
    expect(nativeStep('length', sliders.length.initial)).toBe('any');
    expect(nativeStep('girth', sliders.girth.initial)).toBe('any');
    expect(nativeStep('length', 5.2)).toBe(0.1);
    expect(nativeStep('girth', 6.9)).toBe(0.1);
  });

  test('every grid point of both sliders is recognised as one and kept', () => {
    for (const dimension of ['length', 'girth'] as const) {
      const { min, max } = sliders[dimension];
      for (let tenths = min * 10; tenths <= max * 10; tenths += 1) {
        const inches = tenths / 10;
        expect(nativeStep(dimension, inches)).toBe(0.1);
        expect(nearestOnGrid(dimension, inches)).toBe(inches);
      }
    }
  });

  test.each([
    [5.16, 1, 5.2],
    [5.16, -1, 5.1],
    [5.2, 1, 5.3],
    [5.2, -1, 5.1],
    [5.16, 5, 5.6],
    [5.16, -5, 4.7],
    [7.9, 5, 8],
    [3.1, -5, 3],
    [8, 1, 8],
    [3, -1, 3],
  ])('from %f a move of %i steps lands on %f', (from, steps, expected) => {
    expect(steppedOnGrid('length', from, steps)).toBe(expected);
  });

  test.each([
    ['Home', 3],
    ['End', 7],
  ])('%s goes to the end of the scale', (key, expected) => {
    const steps = stepsForKey('girth', key);
    expect(steps === undefined ? undefined : steppedOnGrid('girth', 4.59, steps)).toBe(expected);
  });

  test('a drag reports the nearest tenth of an inch, inside the scale', () => {
    expect(nearestOnGrid('length', 6.0432)).toBe(6);
    expect(nearestOnGrid('length', 6.05)).toBe(6.1);
    expect(nearestOnGrid('girth', 7.3)).toBe(7);
  });

  test('keys that are not a slider’s are left to the browser', () => {
    expect(stepsForKey('length', 'Tab')).toBeUndefined();
    expect(stepsForKey('length', 'a')).toBeUndefined();
  });
});
