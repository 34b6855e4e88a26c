/** A fictional sample brand that replaces src/shared/brand in secondBrand.test.ts. */
export const brand = {
  /** As the consent texts write it. */
  name: 'Fernbend™',
  /** Without the mark, for running legal text. */
  plainName: 'Fernbend',
  tagline: 'Knees that bend further, by practice instead of an operation.',
  description:
    'Fernbend™ is a knee mobility protocol without surgery. Find an independent clinic near you that teaches it and ask for a first appointment.',
} as const;

/** Words that reveal the treatment in a sender's name, besides the brand's own name. */
export const treatmentWords: readonly string[] = ['knee', 'orthop'];

/** The wordmark, made of bars and bowls. The line below it is a bent leg. */
export const wordmark = {
  viewBox: '0 3 196 41',
  letters:
    'M2 6h5v28h-5ZM7 6h10v5h-10ZM7 17h7v5h-7ZM20 6h5v28h-5ZM25 6h10v5h-10ZM25 17.5h8v5h-8ZM25 29h10v5h-10ZM39 6h5v28h-5ZM44 6h4.5a8.5 8.5 0 0 1 0 17h-4.5v-5h4.5a3.5 3.5 0 0 0 0-7h-4.5ZM47 22h5.5l6 12h-5.7ZM61.5 6h5v28h-5ZM66.0 6h.5l13 28h-6ZM77.5 6h5v28h-5ZM86.5 6h5v28h-5ZM91.5 6h5a8 8 0 0 1 0 16h-5v-5h5a3 3 0 0 0 0-6h-5ZM91.5 18h6a8 8 0 0 1 0 16h-6v-5h6a3 3 0 0 0 0-6h-6ZM109.0 6h5v28h-5ZM114.0 6h10v5h-10ZM114.0 17.5h8v5h-8ZM114.0 29h10v5h-10ZM128.0 6h5v28h-5ZM132.5 6h.5l13 28h-6ZM144.0 6h5v28h-5ZM153.0 6h5v28h-5ZM158 6h4a14 14 0 0 1 0 28h-4v-5h4a9 9 0 0 0 0-18h-4Z',
  dimensionLine: 'M3 40H70L84 36L98 40H166',
  registered:
    'M184 6h5v1.2h-1.9v4.8h-1.2V7.2H184ZM190 6h1.2l1.3 2.6L193.8 6H195v6h-1.2V8.6l-1.3 2.4l-1.3-2.4V12H190Z',
} as const;
