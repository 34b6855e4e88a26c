/** All values of an async iterable (`Array.fromAsync`, which TypeScript's library lacks for this target). */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
