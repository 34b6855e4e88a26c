import { expect, test } from 'vitest';
import { deliveryColors, siteColor, siteColors } from './chartColors.ts';

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

test.each([{ stack: siteColors }, { stack: Object.values(deliveryColors) }])(
  'the colors of $stack have a contrast of 3:1 to white and to the one below',
  ({ stack }) => {
    for (const color of stack) expect(contrast(color, '#ffffff')).toBeGreaterThanOrEqual(3);
    for (const [index, color] of stack.slice(1).entries())
      expect(contrast(color, stack[index] ?? color)).toBeGreaterThanOrEqual(3);
  },
);

test('the main site, each provider and the others differ, with and without main leads', () => {
  const keys = ['main', '1', '2', '3', '4', '5', 'others'];
  const all = keys.map((key, index) => siteColor(key, index, true));
  expect(new Set(all).size).toBe(7);
  expect(keys.slice(1).map((key, index) => siteColor(key, index, false))).toEqual(all.slice(1));
});
