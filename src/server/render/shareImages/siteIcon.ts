import { readFileSync } from 'node:fs';
import { brandColors } from '#shared/brand/colors.ts';
import { hexColor, hueShades } from '#shared/pages/hueShades.ts';

export interface SiteIcon {
  /** One character as people count them; null for a neutral mark. */
  letter: string | null;
  /** Degrees 0–359; null for the brand's own colors. */
  hue: number | null;
}

/** The brand's icon, which a licensee replaces. */
export const brandIconSvg = readFileSync(
  new URL('../../../shared/brand/public/favicon.svg', import.meta.url),
  'utf8',
);

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Marks may be stacked without end. */
const letterMax = 8;

/** The first letter or digit of a name, of any script, with its marks; null for a name without one. */
export function iconLetter(name: string): string | null {
  const text = name.toWellFormed().normalize('NFC');
  const start = text.search(/[\p{L}\p{N}]/u);
  if (start === -1) return null;
  const [first] = graphemes.segment(text.slice(start, start + 64));
  const letter = first?.segment ?? '';
  const plain = letter.length > letterMax ? String.fromCodePoint(letter.codePointAt(0) ?? 0) : letter;
  const upper = plain.toUpperCase();
  return [...graphemes.segment(upper)].length === 1 ? upper : plain;
}

/** The background color of the icon, dark at every hue. */
export function iconColor(hue: number | null): string {
  return hue === null ? brandColors.primary : hexColor(hueShades.primary, hue);
}

const neutralMark = '<path d="m16 7 9 9-9 9-9-9z" fill="#fff"/>';

/** The icon as SVG. A browser has letters of scripts that our typeface lacks. */
export function iconSvg({ letter, hue }: SiteIcon): string {
  const content = letter?.replaceAll(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);
  const mark =
    content === undefined
      ? neutralMark
      : `<text x="16" y="16" dy=".35em" font-family="Figtree,system-ui,sans-serif" font-size="19" font-weight="700" text-anchor="middle" fill="#fff">${content}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${iconColor(hue)}"/>${mark}</svg>`;
}
