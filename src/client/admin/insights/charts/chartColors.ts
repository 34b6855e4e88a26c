import { token } from '#client/theme/tokens.ts';

/**
 * A color for each site, dark and light in turn. Each has a contrast of 3:1 to white and to the color below it
 * (chartColors.test.ts). The first is the main site's, the last one is for all other providers.
 */
export const siteColors = [
  '#3f1d63',
  '#c26fe6',
  '#0a4454',
  '#cf7a33',
  '#1f3a8a',
  '#35a193',
  '#45404b',
] as const;

export const deliveryColors = { delivered: '#a47bd8', failed: '#7d1a15' } as const;

/** The colors of one or two lines. The second line is also dashed. */
export const lineColors = { first: token.primary, second: token.accent } as const;
export const secondDash = '6 4';

/** The color of a site by its position. Providers keep their colors if the main site has no leads. */
export function siteColor(key: string, index: number, hasMain: boolean): string {
  if (key === 'others') return siteColors[6];
  return siteColors[Math.min(hasMain ? index : index + 1, 5)] ?? siteColors[0];
}
