import { useCallback, useEffect, useRef, useState } from 'react';

const durationMs = 450;

function easeOut(share: number): number {
  return 1 - (1 - share) ** 3;
}

/**
 * The number to draw while it runs to `target` (450 ms), and `restart` to let it run again from another number. It
 * starts at the target, so the server's HTML and the first paint are right, and it ends at the target. Under reduced
 * motion it is always the target.
 */
export function useCountUp(target: number): { shown: number; restart: (from: number) => void } {
  const [shown, setShown] = useState(target);
  const current = useRef(target);
  // In a ref, as a late call of an earlier `restart` must run to what is the target by then.
  const goal = useRef(target);
  const frame = useRef(0);

  const run = useCallback(() => {
    cancelAnimationFrame(frame.current);
    const from = current.current;
    if (from === goal.current) return;
    const reduced = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    let startMs: number | undefined;
    function draw(nowMs: number) {
      startMs ??= nowMs;
      const share = reduced ? 1 : Math.min(1, (nowMs - startMs) / durationMs);
      current.current = share === 1 ? goal.current : from + (goal.current - from) * easeOut(share);
      setShown(current.current);
      if (share < 1) frame.current = requestAnimationFrame(draw);
    }
    frame.current = requestAnimationFrame(draw);
  }, []);

  useEffect(() => {
    goal.current = target;
    run();
  }, [run, target]);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);

  const restart = useCallback(
    (from: number) => {
      current.current = from;
      run();
    },
    [run],
  );

  return { shown, restart };
}
