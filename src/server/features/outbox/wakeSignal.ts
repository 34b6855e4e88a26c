import { EventEmitter } from 'node:events';

export interface WakeSignal {
  /** Makes this process's worker, if any, poll now. Call it after the commit; otherwise deliveries wait a second. */
  wake: () => void;
  /** Calls the listener at each wake. Returns a function that removes it. */
  onWake: (listener: () => void) => () => void;
}

/** Connects the code that enqueues deliveries to the worker in the same process. */
export function createWakeSignal(): WakeSignal {
  const signal = new EventEmitter<{ wake: [] }>();
  return {
    wake: () => void signal.emit('wake'),
    onWake(listener) {
      signal.on('wake', listener);
      return () => void signal.off('wake', listener);
    },
  };
}
