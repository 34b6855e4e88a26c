/**
 * What the calculator adds and the drawings show, measured in the brand's own unit; the words for it are in landing.ts.
 */

/** Average gains of the (made-up) study's participants after twelve weeks, in degrees. */
export const averageGain = { bend: 12.5, raise: 8.25 } as const;

export type Dimension = keyof typeof averageGain;

/** In the order they are shown. */
export const dimensions = ['bend', 'raise'] as const satisfies readonly [Dimension, Dimension];

export const sliders: Record<Dimension, { min: number; max: number; step: number; initial: number }> = {
  bend: { min: 60, max: 130, step: 1, initial: 95 },
  raise: { min: 20, max: 80, step: 1, initial: 45 },
};

/**
 * The drawn rule under both sliders: it reaches past the longest one and its gain. Every tenth tick carries a number.
 */
export const ruleScale = { from: 20, to: 150, tick: 2 } as const;

/** The round rule of the hero: what once round it measures, and the numbers at its quarters. */
export const gainDial = { turn: 20, numerals: ['0', '5', '10', '15'] } as const;

/** The straight rule of the variant's hero: its length and how far apart its marks lie. */
export const gainRule = { length: 15, coarse: 5, fine: 1 } as const;

/** Participants of the study, drawn one by one. */
export const studyParticipants = 48;
