import { describe, expect, test } from 'vitest';
import { hueShades, type Shade } from './hue.ts';

type Linear = [red: number, green: number, blue: number];

/** OKLCH to linear sRGB, cut to what a screen can show as browsers do (Ottosson, "A perceptual color space", 2020). */
function linearSrgb({ lightness, chroma }: Shade, hueDegrees: number): Linear {
  const a = chroma * Math.cos((hueDegrees * Math.PI) / 180);
  const b = chroma * Math.sin((hueDegrees * Math.PI) / 180);
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const cut = (value: number): number => Math.min(1, Math.max(0, value));
  return [
    cut(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    cut(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    cut(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
  ];
}

function contrast(one: Linear, other: Linear): number {
  const luminance = ([red, green, blue]: Linear): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((x, y) => y - x);
  return (lighter + 0.05) / (darker + 0.05);
}

const white: Linear = [1, 1, 1];

function lowestContrast(shade: Shade, against: (hue: number) => Linear): number {
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
});
