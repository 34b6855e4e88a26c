/** Messages to one endpoint under way at once, in each process: its own hand, and so many of those that are shared. */
const handsPerEndpoint = 8;
/** Beside the one that each endpoint has for itself. */
const sharedHands = 24;

interface Hands {
  /** Endpoints that have something to be sent. */
  due: readonly string[];
  /** How many hands each endpoint has now; none where it isn't named. */
  busy: ReadonlyMap<string, number>;
  /** Those whose last try ended for want of an answer. */
  slow: ReadonlySet<string>;
}

/**
 * How many more messages of which endpoint may be begun. Every endpoint has a hand of its own, so that none waits for others, however many hang; the
 * shared ones go one at a time to whoever has fewest, and not to whom the last message was lost time on. Pure.
 */
export function dealHands({ due, busy, slow }: Hands): Map<string, number> {
  const dealt = new Map<string, number>();
  const handsOf = (id: string): number => (busy.get(id) ?? 0) + (dealt.get(id) ?? 0);
  const give = (id: string): unknown => dealt.set(id, (dealt.get(id) ?? 0) + 1);
  let shared = sharedHands - [...busy.values()].reduce((sum, hands) => sum + Math.max(0, hands - 1), 0);
  for (const id of due) if (handsOf(id) === 0) give(id);
  while (shared > 0) {
    const [first, ...others] = due.filter((id) => !slow.has(id) && handsOf(id) < handsPerEndpoint);
    if (first === undefined) break;
    give(others.reduce((fewest, id) => (handsOf(id) < handsOf(fewest) ? id : fewest), first));
    shared -= 1;
  }
  return dealt;
}
