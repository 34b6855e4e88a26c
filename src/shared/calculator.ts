/** Average gains of the study's participants after six months, in inches (product specification, section 9). */
export const averageGain = { length: 1.04, girth: 0.54 } as const;

export type Dimension = keyof typeof averageGain;

export const sliders: Record<Dimension, { min: number; max: number; step: number; initial: number }> = {
  length: { min: 3, max: 8, step: 0.1, initial: 5.16 },
  girth: { min: 3, max: 7, step: 0.1, initial: 4.59 },
};

/** Projected value in inches, as shown: two decimals. The average of the study's participants, not a prediction. */
export function projected(dimension: Dimension, inches: number): string {
  return (inches + averageGain[dimension]).toFixed(2);
}
