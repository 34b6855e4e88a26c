import { useEffect, useState } from 'react';
import { paths } from '#shared/pages/paths.ts';

/** How far the server's clock is ahead of the browser's, or 0 without a response. `Date` has whole seconds. */
async function serverAheadMs(): Promise<number> {
  try {
    const { headers } = await fetch(paths.recruitment, { method: 'HEAD', cache: 'no-store' });
    const servedAtMs = Date.parse(headers.get('Date') ?? '');
    return Number.isNaN(servedAtMs) ? 0 : servedAtMs + 500 - Date.now();
  } catch {
    return 0;
  }
}

/**
 * Seconds left, updated once a second: to `endsAt` by the server's clock, null until that is known, or from the same
 * start on each page load. The server and the browser first render the same value.
 */
export function useCountdown(endsAt: string | null): number | null {
  const [secondsLeft, setSecondsLeft] = useState(endsAt === null ? countdownStartSeconds : null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;

    function run(endMs: number): void {
      if (isGone) return;
      const nowMs = Date.now();
      const left = secondsUntil(endMs, nowMs);
      setSecondsLeft(left);
      if (left > 0) timer = setTimeout(() => run(endMs), msToNextTick(endMs, nowMs));
    }

    if (endsAt === null) run(Date.now() + countdownStartSeconds * 1000);
    else void serverAheadMs().then((aheadMs) => run(Date.parse(endsAt) - aheadMs));
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [endsAt]);
  return secondsLeft;
}

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
