interface ReadAhead<Page> {
  first: Page;
  /** Pages from 2 on. */
  read: (page: number) => Promise<Page>;
  /** How many are being read at any time, at most. */
  atOnce: number;
  /** Up to this one they are read ahead; beyond, each only when it is wanted. */
  announced: number;
}

/**
 * `first`, then the others in order. Endless: whoever reads stops. A page that fails is thrown when its turn comes; those begun after it are
 * left to themselves.
 */
export async function* readAhead<Page>({
  first,
  read,
  atOnce,
  announced,
}: ReadAhead<Page>): AsyncGenerator<Page> {
  const reading: Promise<Page>[] = [];
  let next = 2;
  const begin = (): void => {
    const page = read(next);
    // It may fail before its turn, and nobody may ever ask for it.
    page.catch(() => undefined);
    reading.push(page);
    next += 1;
  };
  yield first;
  for (;;) {
    for (let left = atOnce - reading.length; left > 0; left -= 1)
      if (next <= announced || reading.length === 0) begin();
    const page = await reading[0];
    if (page === undefined) return;
    void reading.shift();
    yield page;
  }
}
