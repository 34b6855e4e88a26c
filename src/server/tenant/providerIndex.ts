/** What the index knows of an active clinic. */
export interface IndexedProvider {
  id: number;
  /** Normalised host, or null for a clinic without its own. */
  domain: string | null;
}

/** Which clinics are active and which host is whose: the whole set, in memory, so that an unknown host or id needs no query. */
export interface ProviderIndex {
  idOf: (host: string) => number | undefined;
  has: (id: number) => boolean;
  ids: () => IterableIterator<number>;
  /** Replaces the rows of `ids` by what the database now holds; an id without a row in `active` is gone. */
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
    // A host may have passed to another clinic meanwhile: only its present holder gives it up.
    if (domain !== null && idByDomain.get(domain) === id) idByDomain.delete(domain);
    domainById.delete(id);
  }

  return {
    idOf: (host) => idByDomain.get(host),
    has: (id) => domainById.has(id),
    ids: () => domainById.keys(),
    // All leave before any enters, so that clinics that swap their hosts both keep one.
    apply(ids, active) {
      for (const id of ids) remove(id);
      for (const provider of active) add(provider);
    },
    get size() {
      return domainById.size;
    },
  };
}
