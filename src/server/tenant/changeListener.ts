import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '../db/connect.ts';
import { openSideConnection } from '../db/openSideConnection.ts';
import type { Log } from '../log.ts';
import { listenerReconnects } from '../metrics.ts';

/** A connection that is lost silently (a cut cable, a firewall) is noticed within the sum of both. */
const defaultHeartbeat = { everyMs: 15_000, timeoutMs: 5_000 };

const retryDelayMaxMs = 1_000;

interface ChangeListenerOptions {
  /** The pool whose address and credentials are used. The listener has its own connection. */
  sql: Sql;
  channel: string;
  log: Log;
  /**
   * Runs on the listener's connection after each successful LISTEN, to read what may have been missed. Notifications
   * may arrive at the same time. A rejection drops the connection and starts again.
   */
  onListening: (sql: Sql) => Promise<void>;
  onNotification: (payload: string) => void;
  /** Runs when notifications may be missed from now on. */
  onLost: () => void;
  heartbeat?: { everyMs: number; timeoutMs: number };
}

/** Listens on a channel for good. The driver's own `listen` neither reports a loss nor notices a silent one. */
export function createChangeListener(options: ChangeListenerOptions) {
  const { log, channel, heartbeat: { everyMs, timeoutMs } = defaultHeartbeat } = options;
  const stopping = new AbortController();
  const firstListening = Promise.withResolvers<void>();
  let drop: (reason: unknown) => void = () => undefined;
  let running: Promise<void> | null = null;

  /** The life of one connection. Ends by throwing the reason of its loss. */
  async function session(onRecovered: () => void): Promise<never> {
    const lost = Promise.withResolvers<never>();
    lost.promise.catch(() => undefined);
    drop = lost.reject;
    const client = openConnection(options, () =>
      lost.reject(new Error('the listening connection was closed')),
    );
    const heartbeat = setInterval(() => void withTimeout(client, timeoutMs).catch(lost.reject), everyMs);
    heartbeat.unref();
    try {
      await Promise.race([lost.promise, client.unsafe(`listen "${channel}"`)]);
      await Promise.race([lost.promise, options.onListening(client)]);
      onRecovered();
      return await lost.promise;
    } finally {
      clearInterval(heartbeat);
      options.onLost();
      await client.end({ timeout: 0 });
    }
  }

  async function run(): Promise<void> {
    let failures = 0;
    listenerReconnects.inc({ channel }, 0);
    while (!stopping.signal.aborted) {
      try {
        await session(() => {
          if (failures > 0) log.info({ event: 'listener.recovered', channel }, 'listening for changes again');
          failures = 0;
          firstListening.resolve();
        });
      } catch (error) {
        if (stopping.signal.aborted) break;
        listenerReconnects.inc({ channel });
        if (failures === 0)
          log.warn(
            { event: 'listener.lost', err: error, channel },
            'not listening for changes; trying again until it works',
          );
        failures += 1;
        const delayMs = Math.min(retryDelayMaxMs, 25 * 2 ** failures) * (0.5 + Math.random() / 2);
        await delay(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  }

  return {
    /**
     * Resolves when onListening has succeeded for the first time. Before that, and after every loss, it retries forever.
     */
    start: (): Promise<void> => {
      running ??= run();
      return firstListening.promise;
    },
    /** Drops the connection and starts again, for a listener that could not process a notification. */
    restart: (reason: unknown): void => drop(reason),
    stop: async (): Promise<void> => {
      stopping.abort();
      drop(new Error('stopped'));
      await running;
      firstListening.resolve();
    },
  };
}

async function withTimeout(client: Sql, timeoutMs: number): Promise<void> {
  const late = delay(timeoutMs, 'late', { ref: false });
  const first = await Promise.race([client`select 1`, late]);
  if (first === 'late') throw new Error('the listening connection does not answer');
}

/** Notifications go to `onnotify`. The driver's own `listen` consists of the same parts (postgres/src/index.js). */
function openConnection({ sql, onNotification }: ChangeListenerOptions, onclose: () => void): Sql {
  const listening = openSideConnection(sql, {
    purpose: 'listener',
    max: 1,
    fetch_types: false,
    // The heartbeat above notices a silent connection sooner, and a new one has to LISTEN first.
    watch: false,
    onclose,
    onnotify: (_channel: string, payload: string) => onNotification(payload),
  });
  return listening.sql;
}
