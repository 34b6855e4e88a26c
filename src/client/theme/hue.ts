/** A colour of fixed lightness (0–1) and chroma in OKLCH, to be given any hue. */
export interface Shade {
  lightness: number;
  chroma: number;
}

/**
 * The brand's colours for a clinic's hue. OKLCH, because there a hue turns without changing how light the colour is: one set of figures
 * keeps its contrast at all 360 hues (hue.test.ts computes each).
 */
export const hueShades = {
  primary: { lightness: 0.32, chroma: 0.13 },
  secondary: { lightness: 0.47, chroma: 0.17 },
  accent: { lightness: 0.62, chroma: 0.17 },
  tint: { lightness: 0.975, chroma: 0.008 },
  line: { lightness: 0.915, chroma: 0.02 },
  inputLine: { lightness: 0.61, chroma: 0.025 },
  muted: { lightness: 0.47, chroma: 0.018 },
} as const satisfies Record<string, Shade>;

/** The CSS colour of a shade at the hue that the server writes on the root element as `--hue`. */
export function atTenantHue({ lightness, chroma }: Shade): string {
  return `oklch(${lightness} ${chroma} var(--hue))`;
}
