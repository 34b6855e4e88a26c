import { EventEmitter } from 'node:events';
import { sql } from 'drizzle-orm';
import type { Queryable } from '../db/connect.ts';
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

export interface JobToSend {
  queue: QueueName;
  data: object;
  /** Null: at once. */
  startAfter?: Date | null;
}

/**
 * Enqueues jobs in one statement, in the transaction it is given: they are there if and only if what they are about is. Written against
 * pg-boss's table, as its own `send` asks the queue's rules once for each job; a test compares the rows.
 */
export async function sendJobs(tx: Queryable, jobs: readonly JobToSend[]): Promise<void> {
  if (jobs.length === 0) return;
  const rows = jobs.map(({ queue, data, startAfter = null }) => ({ queue, data, start_after: startAfter }));
  await tx.execute(sql`
    insert into pgboss.job (name, data, start_after, keep_until, expire_seconds, deletion_seconds, retry_limit, retry_delay, retry_backoff,
      retry_delay_max, policy, dead_letter, heartbeat_seconds)
    select q.name, j.data, coalesce(j.start_after, now()), coalesce(j.start_after, now()) + q.retention_seconds * interval '1 second',
      q.expire_seconds, q.deletion_seconds, q.retry_limit, q.retry_delay, q.retry_backoff, q.retry_delay_max, q.policy, q.dead_letter, q.heartbeat_seconds
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as j (queue text, data jsonb, start_after timestamptz)
    join pgboss.queue q on q.name = j.queue`);
}
