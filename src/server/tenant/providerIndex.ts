/** An active provider in the index. */
export interface IndexedProvider {
  id: number;
  /** Normalized host, or null without one. */
  domain: string | null;
}

/** All active providers and their hosts in memory, so that an unknown host or id needs no query. */
export interface ProviderIndex {
  idOf: (host: string) => number | undefined;
  has: (id: number) => boolean;
  ids: () => IterableIterator<number>;
  /** Replaces the rows of `ids` with the database's current rows. An id without a row in `active` is removed. */
  apply: (ids: readonly number[], active: readonly IndexedProvider[]) => void;
  readonly size: number;
}

/** An empty index. */
export function createProviderIndex(): ProviderIndex {
  const idByDomain = new Map<string, number>();
  const domainById = new Map<number, string | null>();

  function add({ id, domain }: IndexedProvider): void {
    domainById.set(id, domain);
    if (domain !== null) idByDomain.set(domain, id);
  }

  function remove(id: number): void {
    const domain = domainById.get(id) ?? null;
    // The host may belong to another provider by now; only its current owner removes it.
    if (domain !== null && idByDomain.get(domain) === id) idByDomain.delete(domain);
    domainById.delete(id);
  }

  return {
    idOf: (host) => idByDomain.get(host),
    has: (id) => domainById.has(id),
    ids: () => domainById.keys(),
    // All are removed before any is added, so that providers that swap hosts both keep one.
    apply(ids, active) {
      for (const id of ids) remove(id);
      for (const provider of active) add(provider);
    },
    get size() {
      return domainById.size;
    },
  };
}
