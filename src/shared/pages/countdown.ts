const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** The start of a countdown without a date, on each page load: 14 days, 23 h, 59 min, 52 s. */
export const countdownStartSeconds = 14 * day + 23 * hour + 59 * minute + 52;

export interface CountdownParts {
  days: number;
  hours: number;
  minutes: number;
  seconds: number;
}

/** Whole seconds left, rounded up. None after the end. */
export function secondsUntil(endMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((endMs - nowMs) / 1000));
}

/** Milliseconds until the next full second, for a timer that stays in step with the clock. */
export function msToNextTick(endMs: number, nowMs: number): number {
  return (((endMs - nowMs) % 1000) + 1000) % 1000 || 1000;
}

/** Seconds as days, hours (to 23), minutes and seconds (to 59). Not below zero. */
export function countdownParts(secondsLeft: number): CountdownParts {
  const left = Math.max(0, Math.floor(secondsLeft));
  return {
    days: Math.floor(left / day),
    hours: Math.floor((left % day) / hour),
    minutes: Math.floor((left % hour) / minute),
    seconds: left % minute,
  };
}
