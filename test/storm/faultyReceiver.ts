import {
  answers,
  type Behaviour,
  cuts,
  floods,
  hangs,
  type Receiver,
  startReceiver,
} from '#test/support/receiver.ts';
import { seededRandom } from '#scripts/sampleData/seededRandom.ts';

export interface FaultyReceiver extends Receiver {
  /** What it has taken, by key: the lead's number, and how often it came. */
  taken: Map<string, { leadId: number; times: number }>;
  faults: Map<string, number>;
}

/** Everything that goes wrong with a far side, and passes; none of it says that the lead was taken. */
const kinds: readonly [name: string, weight: number, behaviour: Behaviour][] = [
  ['hangs up at once', 6, (response) => void response.destroy()],
  ['500', 6, answers(500)],
  ['503, Retry-After', 4, answers(503, '', { 'retry-after': '1' })],
  ['429, Retry-After', 4, answers(429, 'slow down', { 'retry-after': '2' })],
  ['302', 3, answers(302, '', { location: 'http://127.0.0.1:1/' })],
  ['endless answer', 2, floods(500)],
  ['cut 500', 4, cuts(500)],
  ['hangs', 1, hangs],
];
const weights = kinds.reduce((sum, [, weight]) => sum + weight, 0);

/** So often, at most, a key is treated badly: fewer than the tries a delivery has. */
const faultsPerKeyMax = 3;
const faultRate = 0.5;

/**
 * A CRM on this machine that takes each key once and fails in every way before it does. A lead's tries are treated as
 * the seed says, in whatever order the leads come.
 */
export async function startFaultyReceiver(seed: number): Promise<FaultyReceiver> {
  const taken: FaultyReceiver['taken'] = new Map();
  const faults: FaultyReceiver['faults'] = new Map();
  const treated = new Map<string, number>();
  const dice = new Map<number, () => number>();

  function createRandom(leadId: number): () => number {
    const known = dice.get(leadId) ?? seededRandom(seed * 1_000_003 + leadId);
    dice.set(leadId, known);
    return known;
  }

  function faultFor(key: string, random: () => number): Behaviour | null {
    const before = treated.get(key) ?? 0;
    if (before === faultsPerKeyMax || random() > faultRate) return null;
    treated.set(key, before + 1);
    let at = random() * weights;
    const [name, , behaviour] = kinds.find(([, weight]) => (at -= weight) < 0) ?? ['', 0, null];
    faults.set(name, (faults.get(name) ?? 0) + 1);
    return behaviour;
  }

  const receiver = await startReceiver((response, received, nth) => {
    const { key, body } = received;
    const { data } = JSON.parse(body) as { data: { id: number } };
    const random = createRandom(data.id);
    const fault = faultFor(key, random);
    if (fault !== null) return fault(response, received, nth);
    taken.set(key, { leadId: data.id, times: (taken.get(key)?.times ?? 0) + 1 });
    // Some are taken, and the sender never hears of it.
    if (random() < 0.03) return void response.destroy();
    // Of some, the sender hears only the status, which is enough.
    if (random() < 0.03) return cuts(200)(response, received, nth);
    response.end(JSON.stringify({ id: `contact-${data.id}` }));
  });
  return { ...receiver, taken, faults, [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose]() };
}
