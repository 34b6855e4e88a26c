/** Everything an asynchronous iterable gives (`Array.fromAsync`, which TypeScript's library of this target lacks). */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
