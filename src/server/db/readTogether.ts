import DataLoader from 'dataloader';

/** Keys in one statement. */
const keysMax = 100;

/**
 * A read by key whose concurrent calls share a statement: those of one turn of the event loop. `read` returns a value
 * per key, in the same order. If it rejects, each of its calls rejects.
 */
export function readTogether<Key, Value>(
  read: (keys: readonly Key[]) => Promise<readonly Value[]>,
): (key: Key) => Promise<Value> {
  const loader = new DataLoader<Key, Value>(read, {
    cache: false,
    maxBatchSize: keysMax,
    batchScheduleFn: (run) => setImmediate(run),
  });
  return (key) => loader.load(key);
}
