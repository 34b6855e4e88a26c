import { EventEmitter } from 'node:events';
import type { QueueName } from './queues.ts';

export interface Jobs {
  /**
   * Has this process's own worker, if there is one, look for jobs now. To be called once what enqueued them has committed: without it they wait
   * half a second at most.
   */
  wake: (queue: QueueName) => void;
  /** Hears each call of `wake`; returns what ends that. */
  onWake: (listener: (queue: QueueName) => void) => () => void;
}

/** What binds whoever enqueues to the worker in the same process. */
export function createJobs(): Jobs {
  const calls = new EventEmitter<{ wake: [QueueName] }>();
  return {
    wake: (queue) => void calls.emit('wake', queue),
    onWake(listener) {
      calls.on('wake', listener);
      return () => void calls.off('wake', listener);
    },
  };
}
