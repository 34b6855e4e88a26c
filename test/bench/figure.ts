/** One measured figure beside its baseline, both taken in the same run. */
export interface Figure {
  name: string;
  measured: number;
  baseline: number | null;
  unit: string;
  /** What the baseline is, or what the figure means. */
  against: string;
  /** Bytes of one answer, head and body. */
  bytesOut?: number;
  /** How often anyone may ask. */
  limit?: string;
  /** The bar: `ratio >= 0.5`, `measured <= 95`. */
  bar: { of: 'ratio' | 'measured'; sign: '>=' | '<='; value: number };
}

export function toRatio(figure: Figure): number | null {
  return figure.baseline === null ? null : figure.measured / figure.baseline;
}

export function passes(figure: Figure): boolean {
  const value = figure.bar.of === 'ratio' ? (toRatio(figure) ?? Number.NaN) : figure.measured;
  return figure.bar.sign === '>=' ? value >= figure.bar.value : value <= figure.bar.value;
}
