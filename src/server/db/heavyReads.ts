/** How many reads of very many rows run at the same time in a process. */
export interface HeavyReads {
  /** Insights, each on one or two connections for up to ten seconds. */
  insights: number;
  /** Exports, each on one connection until its client has read it. */
  exports: number;
}

/** Connections that heavy reads leave to visitors: leads are stored on two. */
const leftMin = 2;
const exportsMax = 3;
/** From this size on, a pool has room for two insights. */
const manyConnections = 10;

/** The heavy reads that fit a pool of this size, of 5 or more. */
export function heavyReadsOf(poolMax: number): HeavyReads {
  const insights = poolMax < manyConnections ? 1 : 2;
  const left = poolMax - 2 * insights - leftMin;
  return { insights, exports: Math.min(exportsMax, Math.max(1, left)) };
}
