import { hasCode } from '../errors.ts';

export interface PoolReport {
  /** `main`, or the purpose of a side connection. */
  name: string;
  state: 'unknown' | 'up' | 'down';
  /** Milliseconds since the last probe that returned (Infinity: none yet). */
  silentMs: number;
  replacements: number;
}

/** The results of a pool's probes. Without `watch`, the state stays 'unknown'. */
export interface DatabaseHealth {
  /**
   * 'down' after a probe failed, or was silent for a second while the server does no work for the pool. 'up' after a
   * probe returned. 'unknown' at first. A server without a free connection for a probe changes nothing.
   */
  readonly state: () => 'unknown' | 'up' | 'down';
  /** Milliseconds since the last probe that returned (Infinity: none yet). */
  readonly silentMs: () => number;
  /** Pools replaced since the process started: this one and its side connections. */
  readonly replacements: () => number;
  /** The open watched pools: this one and its side connections. For `/readyz`. */
  readonly pools: () => PoolReport[];
  /** Aborted when the process stops. Unset for callers that do not wait for it. */
  readonly stopping?: AbortSignal;
}

export interface WatchTimings {
  /** Intervals of probes while the database is up and down. */
  upEveryMs: number;
  downEveryMs: number;
  /** A probe that takes longer counts as down, unless the server is working on the pool's statements. */
  lateAfterMs: number;
  /** A pool without a response to its probes for this long is replaced. */
  replaceAfterMs: number;
}

export const defaultTimings: WatchTimings = {
  upEveryMs: 5_000,
  downEveryMs: 500,
  lateAfterMs: 1_000,
  replaceAfterMs: 30_000,
};

interface WatchdogOptions {
  timings: WatchTimings;
  /** One light query on the pool. */
  probe: () => Promise<unknown>;
  /** Whether the server is working on this pool's statements, so that probes wait behind them. Never rejects. */
  isBusy: () => Promise<boolean>;
  /** Replaces the pool; probes of the old one reject. */
  replace: (silentMs: number) => void;
  onBusy: (silentMs: number) => void;
  /** How long a probe took that returned. */
  onProbe: (tookMs: number) => void;
  onState: (state: 'up' | 'down', error?: unknown) => void;
}

export interface PoolWatchdog extends Pick<DatabaseHealth, 'state' | 'silentMs'> {
  /** Probes now unless the database is known to be down. */
  connectionLost: () => void;
  stop: () => void;
}

/** While probes hang, later ones may find a working connection. More than this many would only keep queries waiting. */
const pendingMax = 3;

/**
 * No response. Any other failure is one (the host refused, Postgres is starting), and a new pool would get the same.
 */
const silentCodes = new Set(['CONNECT_TIMEOUT', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);

/** The server works but has no connection left: too_many_connections, configuration_limit_exceeded. */
const fullCodes = new Set(['53300', '53400']);

/** Whether the server responded that it has no connection left. */
export function isServerFull(error: unknown): boolean {
  return hasCode(error, fullCodes);
}

/** Probes one pool for its whole life, knows whether the database responds, and has a silent pool replaced. */
export function startWatchdog(options: WatchdogOptions): PoolWatchdog {
  const { timings, probe, isBusy, replace, onBusy, onProbe, onState } = options;
  /** Probes of the current pool, oldest first, and when they were sent. */
  const pending = new Map<Promise<unknown>, number>();
  let state: ReturnType<DatabaseHealth['state']> = 'unknown';
  let returnedAtMs = -Infinity;
  let answeredAtMs = -Infinity;
  /** When the first probe without a response was sent; null if none is pending. */
  let silentSinceMs: number | null = null;
  let isReplacing = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  function change(to: 'up' | 'down', error?: unknown): void {
    if (state !== to) onState(to, error);
    state = to;
  }

  function schedule(): void {
    clearTimeout(timer);
    if (isStopped) return;
    timer = setTimeout(probeNow, state === 'down' ? timings.downEveryMs : timings.upEveryMs).unref();
  }

  async function send(): Promise<void> {
    const sentAtMs = performance.now();
    const probing = probe();
    pending.set(probing, sentAtMs);
    silentSinceMs ??= sentAtMs;
    /** Its pool was replaced, or a later probe has a newer result. */
    const isOutdated = (): boolean => isStopped || !pending.has(probing) || answeredAtMs > sentAtMs;
    const late = setTimeout(() => {
      // Responses that arrived while this process was blocked are read first.
      setImmediate(() => void judgeLate(isOutdated));
    }, timings.lateAfterMs).unref();
    try {
      await probing;
      if (!isStopped && pending.has(probing)) {
        onProbe(performance.now() - sentAtMs);
        succeed();
      }
    } catch (error) {
      if (isOutdated()) return;
      if (!hasCode(error, silentCodes)) answered();
      // Open connections still work: neither up nor down.
      if (isServerFull(error)) schedule();
      else fail(error);
    } finally {
      clearTimeout(late);
      pending.delete(probing);
    }
  }

  /** A probe that waits behind the pool's own statements says nothing about the database. */
  async function judgeLate(isOutdated: () => boolean): Promise<void> {
    if (isOutdated() || (await isBusy())) return;
    if (!isOutdated()) fail();
  }

  function answered(): void {
    answeredAtMs = performance.now();
    silentSinceMs = null;
  }

  function succeed(): void {
    answered();
    returnedAtMs = answeredAtMs;
    change('up');
    schedule();
  }

  function fail(error?: unknown): void {
    change('down', error);
    schedule();
  }

  function probeNow(): void {
    if (isStopped) return;
    setImmediate(() => void replaceIfSilent());
    const newestMs = Math.max(...pending.values());
    if (pending.size < pendingMax && performance.now() - newestMs >= timings.lateAfterMs) void send();
    schedule();
  }

  async function replaceIfSilent(): Promise<void> {
    const sinceMs = silentSinceMs;
    if (isStopped || isReplacing || sinceMs === null) return;
    const silentMs = performance.now() - sinceMs;
    if (silentMs < timings.replaceAfterMs) return;
    isReplacing = true;
    const busy = await isBusy();
    isReplacing = false;
    // A response may have arrived by now.
    if (isStopped || silentSinceMs !== sinceMs) return;
    if (busy) {
      silentSinceMs = performance.now();
      onBusy(silentMs);
      return;
    }
    pending.clear();
    silentSinceMs = null;
    replace(silentMs);
    probeNow();
  }

  probeNow();
  return {
    state: () => state,
    silentMs: () => performance.now() - returnedAtMs,
    connectionLost() {
      // While the database is down, every probe may lose its connection and would be followed by the next one
      // immediately.
      if (state !== 'down' && pending.size === 0) probeNow();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
