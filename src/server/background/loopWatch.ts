/** Knows whether the loops of background work still make rounds, whether these succeed or fail. */
export interface LoopWatch {
  /** Watches a loop that finishes a round within this time. Returns a function to call after each round. */
  add: (name: string, roundMaxMs: number) => () => void;
  /** The loops that finished no round for longer than they may: they hang. */
  stalled: () => string[];
}

/** `nowMs`: a monotonic clock. */
export function createLoopWatch(nowMs: () => number = () => performance.now()): LoopWatch {
  const loops = new Map<string, { roundMaxMs: number; endedAtMs: number }>();
  return {
    add(name, roundMaxMs) {
      const loop = { roundMaxMs, endedAtMs: nowMs() };
      loops.set(name, loop);
      return () => {
        loop.endedAtMs = nowMs();
      };
    },
    stalled: () =>
      [...loops].flatMap(([name, { roundMaxMs, endedAtMs }]) =>
        nowMs() - endedAtMs > roundMaxMs ? [name] : [],
      ),
  };
}
