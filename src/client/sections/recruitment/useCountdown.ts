import { useEffect, useState } from 'react';
import { countdownStartSeconds, msToNextTick, secondsUntil } from '#shared/pages/countdown.ts';
import { paths } from '#shared/pages/paths.ts';

/**
 * How far the server's clock is ahead of this browser's, or 0 without a response. A `Date` header has whole seconds.
 */
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
