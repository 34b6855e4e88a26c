/** The values of the calculator and the drawings, in the brand's own unit. Their texts are in landing.ts. */

/** Average gains of the study's participants after six months, in inches (product specification, section 9). */
export const averageGain = { length: 1.04, girth: 0.54 } as const;

export type Dimension = keyof typeof averageGain;

/** In the order of display. */
export const dimensions = ['length', 'girth'] as const satisfies readonly [Dimension, Dimension];

export const sliders: Record<Dimension, { min: number; max: number; step: number; initial: number }> = {
  length: { min: 3, max: 8, step: 0.1, initial: 5.16 },
  girth: { min: 3, max: 7, step: 0.1, initial: 4.59 },
};

/** The ruler under both sliders. It extends past the longest value and its gain. Every tenth tick has a number. */
export const ruleScale = { from: 3, to: 9.2, tick: 0.1 } as const;

/** The round ruler of the hero: the value of one turn, and the numbers at its quarters. */
export const gainDial = { turn: 2, numerals: ['0', '0.5', '1', '1.5'] } as const;

/** The straight ruler of the variant's hero: its length and the distances of its marks. */
export const gainRule = { length: 1.25, coarse: 0.25, fine: 0.0625 } as const;

/** Participants of the study, one dot each in the drawing. */
export const studyParticipants = 32;
