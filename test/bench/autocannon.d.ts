/** What the benchmarks use of it; it has no types of its own. */
declare module 'autocannon' {
  interface Request {
    method: 'GET' | 'POST';
    path: string;
    headers: Record<string, string>;
    body?: string;
  }

  interface Options {
    url: string;
    connections: number;
    /** Seconds. */
    duration: number;
    /** Ends the run at so many errors. */
    bailout: number;
    /** Requests per second of all connections together; latencies then count from when each was due. */
    overallRate?: number;
    requests: { setupRequest: (defaults: Request) => Request }[];
  }

  interface Result {
    /** Seconds. */
    duration: number;
    /** Failed connections and timeouts. */
    errors: number;
    requests: { total: number };
    /** Milliseconds. */
    latency: { p50: number; p99: number };
    statusCodeStats: Record<string, { count: number }>;
  }

  export default function autocannon(options: Options): Promise<Result>;
  export type { Request, Result };
}
