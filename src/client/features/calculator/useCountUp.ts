import { useCallback, useEffect, useRef, useState } from 'react';

const durationMs = 450;

function easeOut(share: number): number {
  return 1 - (1 - share) ** 3;
}

/**
 * The number to draw while it runs to `target` (450 ms), and `restart` to let it run again from another number. It starts at the target,
 * so the server's HTML and the first paint are right, and it ends at the target. Under reduced motion it is always the target.
 */
export function useCountUp(target: number): { shown: number; restart: (from: number) => void } {
  const [shown, setShown] = useState(target);
  const current = useRef(target);
  const frame = useRef(0);

  const runTo = useCallback((goal: number) => {
    cancelAnimationFrame(frame.current);
    const from = current.current;
    if (from === goal) return;
    const reduced = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    let startMs: number | undefined;
    function draw(nowMs: number) {
      startMs ??= nowMs;
      const share = reduced ? 1 : Math.min(1, (nowMs - startMs) / durationMs);
      current.current = share === 1 ? goal : from + (goal - from) * easeOut(share);
      setShown(current.current);
      if (share < 1) frame.current = requestAnimationFrame(draw);
    }
    frame.current = requestAnimationFrame(draw);
  }, []);

  useEffect(() => runTo(target), [runTo, target]);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);

  function restart(from: number) {
    current.current = from;
    runTo(target);
  }

  return { shown, restart };
}
