import { describe, expect, test } from 'vitest';
import { hexColor, hueShades, type LinearColor, linearSrgb, type Shade } from './hueShades.ts';

function contrast(one: LinearColor, other: LinearColor): number {
  const luminance = ([red, green, blue]: LinearColor): number =>
    0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((x, y) => y - x);
  return (lighter + 0.05) / (darker + 0.05);
}

const white: LinearColor = [1, 1, 1];

function lowestContrast(shade: Shade, against: (hue: number) => LinearColor): number {
  return Math.min(...Array.from({ length: 360 }, (_, hue) => contrast(linearSrgb(shade, hue), against(hue))));
}

const onWhite = () => white;
const onTint = (hue: number) => linearSrgb(hueShades.tint, hue);

describe('at every one of the 360 hues', () => {
  test('primary stands out 7:1 on white and on the tinted ground', () => {
    expect(lowestContrast(hueShades.primary, onWhite)).toBeGreaterThanOrEqual(7);
    expect(lowestContrast(hueShades.primary, onTint)).toBeGreaterThanOrEqual(7);
  });

  test('secondary and muted text stand out 4.5:1 on white and on the tinted ground', () => {
    for (const shade of [hueShades.secondary, hueShades.muted]) {
      expect(lowestContrast(shade, onWhite)).toBeGreaterThanOrEqual(4.5);
      expect(lowestContrast(shade, onTint)).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('accent and the edges of inputs stand out 3:1 on white', () => {
    expect(lowestContrast(hueShades.accent, onWhite)).toBeGreaterThanOrEqual(3);
    expect(lowestContrast(hueShades.inputLine, onWhite)).toBeGreaterThanOrEqual(3);
  });
});

test('the conversion and the contrast are those of known colours', () => {
  expect(contrast([0, 0, 0], white)).toBeCloseTo(21, 5);
  const red = linearSrgb({ lightness: 0.62796, chroma: 0.25768 }, 29.234);
  expect(red.map((channel) => Number(channel.toFixed(2)))).toEqual([1, 0, 0]);
  expect(contrast(red, white)).toBeCloseTo(4, 1);
  expect(hexColor({ lightness: 0.62796, chroma: 0.25768 }, 29.234)).toBe('#ff0000');
  expect(hexColor({ lightness: 0.59987, chroma: 0 }, 0)).toBe('#808080');
});
