import { sliders, type Dimension } from '#shared/brand/measures.ts';

/** Position on the slider's grid. A fraction for a default between two grid points. */
function gridPosition(dimension: Dimension, value: number): number {
  const { min, step } = sliders[dimension];
  return Number(((value - min) / step).toFixed(6));
}

function atGridPoint(dimension: Dimension, point: number): number {
  const { min, max, step } = sliders[dimension];
  return Math.min(max, Math.max(min, Number((min + point * step).toFixed(2))));
}

/** The grid point nearest to what the native slider reports. */
export function nearestOnGrid(dimension: Dimension, value: number): number {
  return atGridPoint(dimension, Math.round(gridPosition(dimension, value)));
}

/** The value `steps` grid points away. Between two points, the first step goes to the next point. */
export function steppedOnGrid(dimension: Dimension, value: number, steps: number): number {
  const position = gridPosition(dimension, value);
  return atGridPoint(dimension, (steps > 0 ? Math.floor(position) : Math.ceil(position)) + steps);
}

/** The `step` attribute. `any` keeps a native range from snapping a default that is between grid points. */
export function nativeStep(dimension: Dimension, value: number): number | 'any' {
  return Number.isInteger(gridPosition(dimension, value)) ? sliders[dimension].step : 'any';
}

/** Grid steps a key moves a slider by (WAI-ARIA slider pattern); undefined when the key is not the slider's. */
export function stepsForKey(dimension: Dimension, key: string): number | undefined {
  const { min, max, step } = sliders[dimension];
  const whole = Math.ceil((max - min) / step);
  const steps: Record<string, number> = {
    ArrowRight: 1,
    ArrowUp: 1,
    ArrowLeft: -1,
    ArrowDown: -1,
    PageUp: 5,
    PageDown: -5,
    End: whole,
    Home: -whole,
  };
  return steps[key];
}
