import figtreeLatin from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url';

/** Address of the one font file, hashed by the build; the document preloads it. */
export const fontPreloadUrl = figtreeLatin;

export const fontFamily = "'Figtree Variable', 'Figtree fallback', system-ui, sans-serif";

/** Figtree's line box, in parts of its em. */
const figtree = { ascent: 0.95, descent: 0.25 };

/**
 * Arial (or the metric-compatible Liberation Sans) stretched to Figtree's widths and lines. `widthRatio`: the width of
 * a paragraph of this site's text in Figtree over the same in Arial, at the weight given.
 */
const fallbacks = [
  { weights: '300 500', locals: ['Arial', 'ArialMT', 'Liberation Sans'], widthRatio: 1.0054 },
  { weights: '501 649', locals: ['Arial Bold', 'Arial-BoldMT', 'Liberation Sans Bold'], widthRatio: 0.9485 },
  { weights: '650 900', locals: ['Arial Bold', 'Arial-BoldMT', 'Liberation Sans Bold'], widthRatio: 0.9593 },
];

const percent = (value: number): string => `${(value * 100).toFixed(2)}%`;

/**
 * Every @font-face of the site. Latin only: the file is 20 KB and one request. A browser waits a tenth of a second for
 * the preloaded file. Later, it keeps the fallback for this page: a swap would wrap some paragraphs differently.
 */
export const fontFaces = [
  `@font-face {
    font-family: 'Figtree Variable';
    font-style: normal;
    font-display: optional;
    font-weight: 300 900;
    src: url('${fontPreloadUrl}') format('woff2');
  }`,
  ...fallbacks.map(
    ({ weights, locals, widthRatio }) => `@font-face {
    font-family: 'Figtree fallback';
    font-weight: ${weights};
    src: ${locals.map((name) => `local('${name}')`).join(', ')};
    size-adjust: ${percent(widthRatio)};
    ascent-override: ${percent(figtree.ascent / widthRatio)};
    descent-override: ${percent(figtree.descent / widthRatio)};
    line-gap-override: 0%;
  }`,
  ),
].join('\n');
