import { describe, expect, test } from 'vitest';
import { dimensions, sliders } from '#shared/brand/measures.ts';
import { meets } from '#test/support/meets.ts';
import { nativeStep, nearestOnGrid, steppedOnGrid, stepsForKey } from './sliderGrid.ts';

describe.each(dimensions)('the grid of %s', (dimension) => {
  const { min, max, step, initial } = sliders[dimension];
  /** The value this many steps above the minimum. Fractions lie between two grid points. */
  const at = (steps: number): number => Number((min + steps * step).toFixed(6));
  const last = Math.round((max - min) / step);

  test('keeps the default value, even off the grid', () => {
    meets('D.conformity.29');
    expect(nativeStep(dimension, initial) === 'any' || nearestOnGrid(dimension, initial) === initial).toBe(
      true,
    );
    expect(nativeStep(dimension, at(2.6))).toBe('any');
  });

  test('keeps each of its points', () => {
    meets('D.conformity.30');
    expect(last).toBeGreaterThan(10);
    for (let point = 0; point <= last; point += 1) {
      expect(nativeStep(dimension, at(point))).toBe(step);
      expect(nearestOnGrid(dimension, at(point))).toBeCloseTo(at(point), 6);
    }
  });

  test.each([
    [2.6, 1, 3],
    [2.6, -1, 2],
    [3, 1, 4],
    [3, -1, 2],
    [7.6, 5, 12],
    [7.6, -5, 3],
    [last - 1, 5, last],
    [1, -5, 0],
    [last, 1, last],
    [0, -1, 0],
  ])('leads from %f by %i steps to %f', (from, steps, expected) => {
    meets('P5.valid.26');
    expect(steppedOnGrid(dimension, at(from), steps)).toBeCloseTo(at(expected), 6);
  });

  test.each([
    ['Home', min],
    ['End', max],
  ])('leads with the key %s to the end of the scale', (key, expected) => {
    const steps = stepsForKey(dimension, key);
    expect(steps === undefined ? undefined : steppedOnGrid(dimension, at(2.6), steps)).toBe(expected);
  });

  test('rounds a drag to the nearest point inside the scale', () => {
    meets('P5.valid.26 D.conformity.30');
    expect(nearestOnGrid(dimension, at(4.4))).toBeCloseTo(at(4), 6);
    expect(nearestOnGrid(dimension, at(4.5))).toBeCloseTo(at(5), 6);
    expect(nearestOnGrid(dimension, max + 3 * step)).toBe(max);
  });

  test('ignores other keys', () => {
    expect(stepsForKey(dimension, 'Tab')).toBeUndefined();
    expect(stepsForKey(dimension, 'a')).toBeUndefined();
  });
});
