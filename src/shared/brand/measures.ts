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

/** What the whole width of the hero's spans stands for. */
export const gainScale = 6.4;

/** Participants of the study, one stroke each in the drawing. */
export const studyParticipants = 32;
