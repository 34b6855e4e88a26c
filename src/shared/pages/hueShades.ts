/** A color of fixed lightness (0–1) and chroma in OKLCH. It can get any hue. */
export interface Shade {
  lightness: number;
  chroma: number;
}

/** The brand's colors for a provider's hue. OKLCH keeps contrast at all 360 hues (see hueShades.test.ts). */
export const hueShades = {
  primary: { lightness: 0.32, chroma: 0.13 },
  secondary: { lightness: 0.47, chroma: 0.17 },
  accent: { lightness: 0.62, chroma: 0.17 },
  tint: { lightness: 0.975, chroma: 0.008 },
  line: { lightness: 0.915, chroma: 0.02 },
  inputLine: { lightness: 0.61, chroma: 0.025 },
  muted: { lightness: 0.47, chroma: 0.018 },
} as const satisfies Record<string, Shade>;

/** Linear light, 0 to 1 per channel. */
export type LinearColor = [red: number, green: number, blue: number];

/** OKLCH to linear sRGB, clipped to the gamut as browsers do (Ottosson, "A perceptual color space", 2020). */
export function linearSrgb({ lightness, chroma }: Shade, hueDegrees: number): LinearColor {
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

/** A shade at a hue as `#rrggbb`, for software without OKLCH. */
export function hexColor(shade: Shade, hueDegrees: number): string {
  const bent = (value: number): number =>
    value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
  const channels = linearSrgb(shade, hueDegrees).map((value) =>
    Math.round(bent(value) * 255)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${channels.join('')}`;
}
