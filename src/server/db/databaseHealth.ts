/** One watched pool. */
export interface PoolReport {
  /** `main`, or what a pool beside it is for. */
  name: string;
  state: 'unknown' | 'up' | 'down';
  /** Milliseconds since the last probe that returned (Infinity: none yet). */
  silentMs: number;
  /** How often it was replaced. */
  replacements: number;
}

/** What a pool's probes found. Of a pool opened without `watch`, the state stays 'unknown'. */
export interface DatabaseHealth {
  /**
   * 'down' once a probe failed, or has not returned within a second and the server doesn't work on the pool's statements either; 'up' again after
   * a probe returned. 'unknown' before the first one. A server without a connection left for a probe changes nothing.
   */
  readonly state: () => 'unknown' | 'up' | 'down';
  /** Milliseconds since the last probe that returned (Infinity: none yet). */
  readonly silentMs: () => number;
  /** Pools replaced since the process started: this one and those beside it. */
  readonly replacements: () => number;
  /** The watched pools that are open: this one and those beside it. For `/readyz`. */
  readonly pools: () => PoolReport[];
  /** Aborted when the process is to stop; left out by what never waits for that. */
  readonly stopping?: AbortSignal;
}
