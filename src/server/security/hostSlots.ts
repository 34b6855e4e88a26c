import pLimit, { type LimitFunction } from 'p-limit';

export interface HostSlotsOptions {
  /** Requests under way at the same time, to all hosts together. */
  total: number;
  /** Of those, requests to one host. */
  perHost: number;
  /** Requests that may wait for a turn at one host. */
  waitingPerHost: number;
}

/** Too many wait for this host already. */
export class HostBusyError extends Error {}

/** Runs work that asks a host as soon as it is its turn. Throws HostBusyError, and whatever the work throws. */
export type HostSlots = <Result>(host: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Bounds how many requests to other hosts are under way. A request waits for its own host first and takes one of the shared turns only then: a host
 * that is slow holds its own few and nobody else's.
 */
export function createHostSlots({ total, perHost, waitingPerHost }: HostSlotsOptions): HostSlots {
  const shared = pLimit(total);
  const hosts = new Map<string, { inTurn: LimitFunction; requests: number }>();
  return async (host, work) => {
    const own = hosts.get(host) ?? { inTurn: pLimit(perHost), requests: 0 };
    if (own.requests >= perHost + waitingPerHost)
      throw new HostBusyError('too many requests wait for this host');
    hosts.set(host, own);
    own.requests += 1;
    try {
      return await own.inTurn(() => shared(work));
    } finally {
      own.requests -= 1;
      if (own.requests === 0) hosts.delete(host);
    }
  };
}
