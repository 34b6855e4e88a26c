/** The keys of an object that is known to have no others, in their order. */
export function listKeys<Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[];
export function listKeys(record: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(record);
}

/** An object with these keys, in their order, and a value for each. */
export function buildRecord<Key extends string, Value>(
  keys: readonly Key[],
  build: (key: Key) => Value,
): Record<Key, Value>;
export function buildRecord(
  keys: readonly string[],
  build: (key: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, build(key)]));
}

/** An object with some of the properties of another. */
export function pickKeys<From extends object, Key extends keyof From & string>(
  from: From,
  keys: readonly Key[],
): Pick<From, Key>;
export function pickKeys(from: Readonly<Record<string, unknown>>, keys: readonly string[]): object {
  return buildRecord(keys, (key) => from[key]);
}
