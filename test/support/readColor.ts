import type { Locator } from 'playwright';

type Hue = 'red' | 'yellow' | 'green' | 'blue' | 'violet' | 'gray';

/** Degrees at which each color ends. */
const ends: readonly [number, Hue][] = [
  [20, 'red'],
  [70, 'yellow'],
  [170, 'green'],
  [245, 'blue'],
  [320, 'violet'],
  [361, 'red'],
];

/** The name of a color as computed styles and hex codes write it. */
export function nameOfColor(color: string): Hue {
  const hex = /^#([0-9a-f]{6})$/i.exec(color)?.[1];
  const numbers =
    hex === undefined
      ? [...color.matchAll(/[\d.]+/g)].slice(0, 3).map(([text]) => Number(text))
      : [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  const [red = 0, green = 0, blue = 0] = numbers;
  const max = Math.max(red, green, blue);
  const spread = max - Math.min(red, green, blue);
  // The muted ink has a tint.
  if (spread < 26) return 'gray';
  const sector =
    max === red
      ? (green - blue) / spread
      : max === green
        ? 2 + (blue - red) / spread
        : 4 + (red - green) / spread;
  const degrees = (sector * 60 + 360) % 360;
  return ends.find(([end]) => degrees < end)?.[1] ?? 'red';
}

/** The name of an element's text color, or of another property's. */
export async function toHue(element: Locator, property = 'color'): Promise<Hue> {
  return nameOfColor(
    await element.evaluate((found, name) => getComputedStyle(found).getPropertyValue(name), property),
  );
}
