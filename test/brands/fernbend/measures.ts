/** The values of the calculator and the drawings, in the brand's own unit. Their texts are in landing.ts. */

/** Average gains of the (fictional) study's participants after twelve weeks, in degrees. */
export const averageGain = { bend: 12.5, raise: 8.25 } as const;

export type Dimension = keyof typeof averageGain;

/** In the order of display. */
export const dimensions = ['bend', 'raise'] as const satisfies readonly [Dimension, Dimension];

export const sliders: Record<Dimension, { min: number; max: number; step: number; initial: number }> = {
  bend: { min: 60, max: 130, step: 1, initial: 95 },
  raise: { min: 20, max: 80, step: 1, initial: 45 },
};

/** The ruler under both sliders. It extends past the longest value and its gain. Every tenth tick has a number. */
export const ruleScale = { from: 20, to: 150, tick: 2 } as const;

/** The round ruler of the hero: the value of one turn, and the numbers at its quarters. */
export const gainDial = { turn: 20, numerals: ['0', '5', '10', '15'] } as const;

/** The straight ruler of the variant's hero: its length and the distances of its marks. */
export const gainRule = { length: 15, coarse: 5, fine: 1 } as const;

/** Participants of the study, one dot each in the drawing. */
export const studyParticipants = 48;
