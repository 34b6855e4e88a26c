import { leadChannels } from '#shared/admin/deliveries.ts';

/** Concurrent attempts of each channel of leads, in each process. */
export const slotsPerChannel = 24;
/** Concurrent attempts for one endpoint: its own slot and shared ones. */
export const slotsPerEndpoint = 16;
/** For all endpoints together, in addition to each one's own slot. */
export const sharedSlots = 48;

const channels: ReadonlySet<string> = new Set(leadChannels);

interface Demand {
  due: readonly string[];
  /** Attempts in progress of each queue; none for a queue that isn't listed. */
  busy: ReadonlyMap<string, number>;
  /** Endpoints whose latest attempt timed out. */
  slow: ReadonlySet<string>;
}

/**
 * How many attempts each queue may start now: the only fairness rule. Channels don't share slots, and each endpoint has
 * its own, so none waits for others. Shared slots go to the endpoint with the fewest, never to a slow one. Pure.
 */
export function allocateSlots({ due, busy, slow }: Demand): Map<string, number> {
  const allocated = new Map<string, number>();
  const listSlots = (queue: string): number => (busy.get(queue) ?? 0) + (allocated.get(queue) ?? 0);
  const add = (queue: string, slots: number): unknown =>
    slots > 0 && allocated.set(queue, (allocated.get(queue) ?? 0) + slots);
  for (const queue of due) if (channels.has(queue)) add(queue, slotsPerChannel - listSlots(queue));
  const endpoints = due.filter((queue) => !channels.has(queue));
  for (const endpoint of endpoints) if (listSlots(endpoint) === 0) add(endpoint, 1);
  let shared = sharedSlots;
  for (const queue of new Set([...busy.keys(), ...endpoints]))
    if (!channels.has(queue)) shared -= Math.max(0, (busy.get(queue) ?? 0) - 1);
  while (shared > 0) {
    const [first, ...others] = endpoints.filter((id) => !slow.has(id) && listSlots(id) < slotsPerEndpoint);
    if (first === undefined) break;
    add(
      others.reduce((fewest, id) => (listSlots(id) < listSlots(fewest) ? id : fewest), first),
      1,
    );
    shared -= 1;
  }
  return allocated;
}

/** Concurrent attempts of all queues while the worker yields, apart from each queue's first. */
const yieldingSlots = 4;

/** The slots while the worker yields: one for each queue without an attempt in progress, and a few more in turn. */
export function reduceSlots(
  wanted: ReadonlyMap<string, number>,
  busy: ReadonlyMap<string, number>,
): Map<string, number> {
  const kept = new Map<string, number>(
    [...wanted.keys()].flatMap((queue) => (busy.has(queue) ? [] : [[queue, 1] as const])),
  );
  let left = yieldingSlots - kept.size - [...busy.values()].reduce((sum, count) => sum + count, 0);
  for (let round = 1; left > 0 && round <= yieldingSlots; round += 1)
    for (const [queue, slots] of wanted) {
      const count = kept.get(queue) ?? 0;
      if (left <= 0 || count >= slots || count > round) continue;
      kept.set(queue, count + 1);
      left -= 1;
    }
  return kept;
}
