import autocannon, { type Request as LoadRequest, type Result } from 'autocannon';

export type { LoadRequest };

export interface LoadResult {
  perSecond: number;
  requests: number;
  /** Answers whose status wasn't the expected one; a benchmark with any is void. */
  unexpected: number;
}

interface LoadOptions {
  port: number;
  connections: number;
  seconds: number;
  expectedStatus: number;
  /** Called once for each request, so it should be cheap. */
  request: () => LoadRequest;
}

/** Throws if a connection fails. */
async function send({ port, connections, seconds, request }: LoadOptions, perSecond?: number) {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    bailout: 1,
    ...(perSecond === undefined ? {} : { overallRate: perSecond }),
    requests: [{ setupRequest: (defaults) => ({ ...defaults, ...request() }) }],
  });
  if (result.errors > 0) throw new Error(`${result.errors} requests failed or took ten seconds`);
  return result;
}

function countUnexpected(result: Result, expectedStatus: number): number {
  return result.requests.total - (result.statusCodeStats[expectedStatus]?.count ?? 0);
}

/** A closed-loop load: each connection sends its next request when the answer is whole. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const result = await send(options);
  const requests = result.requests.total;
  return {
    perSecond: requests / result.duration,
    requests,
    unexpected: countUnexpected(result, options.expectedStatus),
  };
}

/** More requests at the same time than a server at half its load has; each has a connection of its own. */
const pacedConnections = 128;

/**
 * An open-loop load: requests are due at a steady rate, whatever the server does. The milliseconds count from when each
 * was due. Throws for an unexpected status.
 */
export async function pacedLoad(
  options: Omit<LoadOptions, 'connections'> & { perSecond: number },
): Promise<{ p50: number; p99: number }> {
  const result = await send({ ...options, connections: pacedConnections }, Math.round(options.perSecond));
  const unexpected = countUnexpected(result, options.expectedStatus);
  if (unexpected > 0) throw new Error(`${unexpected} of ${result.requests.total} answers had another status`);
  return { p50: result.latency.p50, p99: result.latency.p99 };
}

/** Median of several runs, so that one hiccup of the machine doesn't decide. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function percentile(sorted: number[], fraction: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
}

interface Round {
  measured: number;
  baseline: number;
}

/**
 * Runs the measured thing and its baseline in turns, so that both meet the same machine, and returns the round whose
 * ratio is the median: what the machine does besides changes from second to second, and hits the two of a round alike.
 */
export async function alternate(
  rounds: number,
  measured: () => Promise<LoadResult>,
  baseline: () => Promise<LoadResult>,
): Promise<Round> {
  const results: Round[] = [];
  for (let round = 0; round < rounds; round++)
    results.push({
      baseline: await toRate('baseline', baseline),
      measured: await toRate('measured', measured),
    });
  const sorted = results.toSorted((a, b) => a.measured / a.baseline - b.measured / b.baseline);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('no round was run');
  return middle;
}

async function toRate(name: keyof Round, run: () => Promise<LoadResult>): Promise<number> {
  const { perSecond, requests, unexpected } = await run();
  if (unexpected > 0)
    throw new Error(`${unexpected} of ${requests} answers of the ${name} run had another status`);
  return perSecond;
}
