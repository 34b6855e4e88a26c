import { averageGain, type Dimension } from '../brand/measures.ts';

/** Projected value in the brand's unit, as shown: two decimals. The average of the study's participants, not a prediction. */
export function projected(dimension: Dimension, value: number): string {
  return (value + averageGain[dimension]).toFixed(2);
}
