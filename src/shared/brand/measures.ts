/** What the calculator adds and the drawings show, measured in the brand's own unit; the words for it are in landing.ts. */

/** Average gains of the study's participants after six months, in inches (product specification, section 9). */
export const averageGain = { length: 1.04, girth: 0.54 } as const;

export type Dimension = keyof typeof averageGain;

/** In the order they are shown. */
export const dimensions = ['length', 'girth'] as const satisfies readonly [Dimension, Dimension];

export const sliders: Record<Dimension, { min: number; max: number; step: number; initial: number }> = {
  length: { min: 3, max: 8, step: 0.1, initial: 5.16 },
  girth: { min: 3, max: 7, step: 0.1, initial: 4.59 },
};

/** The drawn rule under both sliders: it reaches past the longest one and its gain. Every tenth tick carries a number. */
export const ruleScale = { from: 3, to: 9.2, tick: 0.1 } as const;

/** The round rule of the hero: what once round it measures, and the numbers at its quarters. */
export const gainDial = { turn: 2, numerals: ['0', '0.5', '1', '1.5'] } as const;

/** The straight rule of the variant's hero: its length and how far apart its marks lie. */
export const gainRule = { length: 1.25, coarse: 0.25, fine: 0.0625 } as const;

/** Participants of the study, drawn one by one. */
export const studyParticipants = 32;
