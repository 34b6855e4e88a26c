const minute = 60;
const hour = 60 * minute;

/** Round steps for an axis, in seconds. */
const steps = [
  1,
  2,
  5,
  10,
  15,
  30,
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12, 24, 48, 96, 240].map((count) => count * hour),
];
const stepsPerAxisMax = 5;

/** '0.4 s', '42 s', '3 min 20 s', '2 h 5 min', '52 h': at most two units, and no zero. */
export function durationText(seconds: number): string {
  if (seconds < 9.95) return `${Number(seconds.toFixed(1))} s`;
  const whole = Math.round(seconds);
  if (whole < minute) return `${whole} s`;
  if (whole < hour) return twoUnits(whole, minute, 'min', 's');
  const minutes = Math.round(whole / minute);
  return minutes < 10 * 60 ? twoUnits(minutes, 60, 'h', 'min') : `${Math.round(minutes / 60)} h`;
}

function twoUnits(amount: number, size: number, large: string, small: string): string {
  const rest = amount % size;
  const text = `${Math.floor(amount / size).toLocaleString('en-US')} ${large}`;
  return rest === 0 ? text : `${text} ${rest} ${small}`;
}

/** The ticks of a time axis in seconds: from 0 to the first step at or above the longest time. */
export function durationTicks(longestSeconds: number): number[] {
  const longest = Math.max(longestSeconds, 1);
  const last = steps.at(-1) ?? 1;
  const step =
    steps.find((size) => longest / size <= stepsPerAxisMax) ??
    Math.ceil(longest / stepsPerAxisMax / last) * last;
  return Array.from({ length: Math.ceil(longest / step) + 1 }, (_, index) => index * step);
}
