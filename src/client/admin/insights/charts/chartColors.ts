import { token } from '#client/theme/tokens.ts';

/**
 * A colour a site, dark and light by turns: each stands out 3:1 on white and from the one it is stacked on (chartColours.test.ts). The first
 * is the main site's, the last the other clinics'.
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

/** One line, or a first and a second, which is also dashed. */
export const lineColors = { first: token.primary, second: token.accent } as const;
export const secondDash = '6 4';

/** The colour of the site that stands at this place among those shown. Clinics keep theirs where the main site has no lead. */
export function siteColor(key: string, index: number, hasMain: boolean): string {
  if (key === 'others') return siteColors[6];
  return siteColors[Math.min(hasMain ? index : index + 1, 5)] ?? siteColors[0];
}
