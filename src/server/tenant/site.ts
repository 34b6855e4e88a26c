import type { ProviderRecord } from './providerRecord.ts';

/** A host's classification by string rules (parseHost.ts). Normalized: lower case, no port, trailing dot or `www.`. */
export type HostMatch =
  { kind: 'main'; host: string } | { kind: 'other'; host: string } | { kind: 'invalid' };

/**
 * The site of a request, decided once. `main`: the brand's domains, with dashboard and `?providerId=`. `tenant`: a
 * provider's domain, which overrides what a client sends. Any other host is `unknown` and shows the brand's site.
 */
export type Site =
  | { kind: 'main'; host: string; tenant: null }
  | { kind: 'tenant'; host: string; tenant: ProviderRecord }
  | { kind: 'unknown'; host: string; tenant: null };

/** A result that is usually available without waiting. A promise would be a cost without use. */
export type Awaitable<T> = T | Promise<T>;

/** Numbers of entries in memory, for the metrics. */
interface TenantDirectoryStats {
  /** Known active providers. */
  providers: number;
  records: number;
  misses: number;
  /** Whether changes are received. If not, results may be stale. */
  current: boolean;
}

/** The current active providers and their domains, updated by the database's notifications (tenantDirectory.ts). */
export interface TenantDirectory {
  /**
   * The provider of a normalized host, or null. Unknown hosts cost no query while the directory is current. Throws
   * SERVICE_UNAVAILABLE if the host belongs to a provider that was never read and the database is unavailable, so that
   * another brand's page is never shown. Returned without a promise if it is in memory.
   */
  findByHost: (host: string) => Awaitable<ProviderRecord | null>;
  /** An active provider by id, or null. Throws like findByHost. */
  findById: (id: number) => Awaitable<ProviderRecord | null>;
  /** From memory only: whether a normalized host belongs to an active provider, for certificates. */
  hasHost: (host: string) => boolean;
  stats: () => TenantDirectoryStats;
  /**
   * A number that increases with every received change, before the change is read. Data that was read from the database
   * after reading this number is valid until it changes. Null while changes are not received.
   */
  revision: () => number | null;
  /** Ids of the claims that owners hide, as last received. The same list until it changes. */
  hiddenClaims: () => readonly string[];
  /** Loads the domains and listens for changes. Resolves when the directory is current. */
  start: () => Promise<void>;
  stop: () => Promise<void>;
}
