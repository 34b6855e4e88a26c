/** One watched pool. */
export interface PoolReport {
  /** `main`, or the purpose of a side connection. */
  name: string;
  state: 'unknown' | 'up' | 'down';
  /** Milliseconds since the last probe that returned (Infinity: none yet). */
  silentMs: number;
  /** How often it was replaced. */
  replacements: number;
}

/** The results of a pool's probes. Without `watch`, the state stays 'unknown'. */
export interface DatabaseHealth {
  /**
   * 'down' after a probe failed, or did not return within a second while the server does not work on the pool's
   * statements either. 'up' after a probe returned. 'unknown' before the first one. A server without a free connection
   * for a probe changes nothing.
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
