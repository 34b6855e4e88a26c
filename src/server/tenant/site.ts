import type { ProviderRecord } from './providerRecord.ts';
/** What string rules alone say of a host name (parseHost.ts). Hosts are normalised: lower case, no port, no trailing dot, no `www.`. */
export type HostMatch =
  { kind: 'main'; host: string } | { kind: 'custom'; host: string } | { kind: 'invalid' };

/**
 * Which site a request is for, decided once at the edge. `main`: the brand's own domains, with admin and `?providerId=`. `clinic`: an
 * active clinic's domain; its tenant wins over anything a client sends. `unknown`: a host of nobody’s, shown the brand's site.
 */
export type Site =
  | { kind: 'main'; host: string; tenant: null }
  | { kind: 'tenant'; host: string; tenant: ProviderRecord }
  | { kind: 'unknown'; host: string; tenant: null };

/** An answer that is mostly there at once: for the hundred thousandth time a promise would only cost. */
export type Awaitable<T> = T | Promise<T>;

/** Sizes of what a directory holds in memory, for the metrics. */
interface TenantDirectoryStats {
  /** Active clinics known. */
  providers: number;
  records: number;
  misses: number;
  /** Whether changes are being heard; while not, answers may be stale. */
  current: boolean;
}

/** The live set of active clinics and their domains, kept current by the database's notifications (tenantDirectory.ts). */
export interface TenantDirectory {
  /**
   * The clinic of a normalised host, or null. Unknown hosts cost no query while the directory is current. Throws SERVICE_UNAVAILABLE when
   * the host is a clinic's whose data was never read and the database is away: never another brand's page. What is in memory comes at once.
   */
  findByHost: (host: string) => Awaitable<ProviderRecord | null>;
  /** An active clinic by id, or null; throws like findByHost. */
  findById: (id: number) => Awaitable<ProviderRecord | null>;
  /** From memory alone: is this normalised host an active clinic's? For certificate permission. */
  hasHost: (host: string) => boolean;
  stats: () => TenantDirectoryStats;
  /**
   * A number that changes with every change heard, before it is read: what was read from the database after asking for it holds for as long
   * as it stays. Null while changes aren't heard.
   */
  revision: () => number | null;
  /** Loads the domains, listens for changes; resolves once current. */
  start: () => Promise<void>;
  stop: () => Promise<void>;
}
