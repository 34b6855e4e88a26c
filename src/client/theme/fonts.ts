import figtreeLatin from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url';
import serifLatin from '@fontsource/source-serif-4/files/source-serif-4-latin-400-normal.woff2?url';

/** Addresses of the font files, hashed by the build; the document preloads them. */
export const fontPreloadUrls = [figtreeLatin, serifLatin];

/** For text and controls. */
export const fontFamily = "'Figtree Variable', 'Figtree fallback', system-ui, sans-serif";

/** For headings and figures. */
export const serifFamily = "'Source Serif 4', 'Source Serif fallback', Georgia, serif";

/** A system font stretched to the widths and the lines of the font that it stands in for. */
interface Fallback {
  family: string;
  weights: string;
  locals: readonly string[];
  /** The width of a paragraph of this site's text over the same in the system font, at the weight given. */
  widthRatio: number;
  /** The line box of the font that it stands in for, in parts of its em. */
  line: { ascent: number; descent: number };
  /** The characters that it is for. Default: all. */
  range?: string;
}

const arialBold = ['Arial Bold', 'Arial-BoldMT', 'Liberation Sans Bold'];
const figtree = { family: 'Figtree fallback', line: { ascent: 0.95, descent: 0.25 } };

const serif = {
  family: 'Source Serif fallback',
  weights: '200 900',
  locals: ['Times New Roman', 'TimesNewRomanPSMT', 'Liberation Serif'],
  line: { ascent: 1.036, descent: 0.335 },
};

/** Arial and Times New Roman, or the fonts of the same widths on Linux. */
const fallbacks: readonly Fallback[] = [
  { ...figtree, weights: '300 500', locals: ['Arial', 'ArialMT', 'Liberation Sans'], widthRatio: 1.0054 },
  { ...figtree, weights: '501 649', locals: arialBold, widthRatio: 0.9485 },
  { ...figtree, weights: '650 900', locals: arialBold, widthRatio: 0.9593 },
  { ...serif, widthRatio: 1.18 },
  // Its figures are narrower against those of Times.
  { ...serif, widthRatio: 1.055, range: 'U+25, U+2B-2E, U+30-39' },
];

const percent = (value: number): string => `${(value * 100).toFixed(2)}%`;

function renderFace(family: string, url: string, weights: string): string {
  return `@font-face {
    font-family: '${family}';
    font-style: normal;
    font-display: optional;
    font-weight: ${weights};
    src: url('${url}') format('woff2');
  }`;
}

/**
 * Every @font-face of the site. Latin only: each file has 20 KB. A browser waits a tenth of a second for the
 * preloaded files. Later, it keeps the fallback for this page: a swap would wrap some paragraphs differently.
 */
export const fontFaces = [
  renderFace('Figtree Variable', figtreeLatin, '300 900'),
  renderFace('Source Serif 4', serifLatin, '400'),
  ...fallbacks.map(
    ({ family, weights, locals, widthRatio, line, range = 'U+0-10FFFF' }) => `@font-face {
    font-family: '${family}';
    font-weight: ${weights};
    src: ${locals.map((name) => `local('${name}')`).join(', ')};
    size-adjust: ${percent(widthRatio)};
    ascent-override: ${percent(line.ascent / widthRatio)};
    descent-override: ${percent(line.descent / widthRatio)};
    line-gap-override: 0%;
    unicode-range: ${range};
  }`,
  ),
]
  .join('')
  .replaceAll(/\n\s*/g, '');
