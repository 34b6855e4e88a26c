import { Resolver } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';

/** The DNS result of a name. `late` and `failed`: unknown. */
export type Addresses =
  | { kind: 'found'; addresses: string[]; alias: string | null }
  | { kind: 'missing' | 'empty' | 'late' }
  | { kind: 'failed'; code: string };

interface Options {
  /** `address:port`; the system's by default. */
  servers?: readonly string[];
  timeoutMs?: number;
}

/** Names below localhost are loopback by definition, without DNS (RFC 6761 section 6.3). */
const loopback = '127.0.0.1';

/** Queries DNS directly, without /etc/hosts and system caches, for the result that visitors get. */
export function createNameLookup({ servers, timeoutMs = 3_000 }: Options = {}) {
  /** Each name has its own resolver, so that a timeout cancels all of its queries. */
  async function ask<Answer>(query: (resolver: Resolver) => Promise<Answer>): Promise<Answer> {
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), timeoutMs);
    try {
      return await query(resolver);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    /** IPv4 and IPv6 addresses, with aliases resolved. Never throws. */
    async findAddresses(name: string): Promise<Addresses> {
      const known = withoutDns(name);
      if (known !== null) return { kind: 'found', addresses: [known], alias: null };
      const [four, six, alias] = await ask((resolver) =>
        Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name), resolver.resolveCname(name)]),
      );
      const addresses = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (addresses.length > 0)
        return {
          kind: 'found',
          addresses: addresses.map((address) => ipaddr.process(address).toString()).toSorted(),
          alias: alias.status === 'fulfilled' ? (alias.value[0] ?? null) : null,
        };
      return nothing(
        [four, six].flatMap((answer) => (answer.status === 'rejected' ? [getCode(answer.reason)] : [])),
      );
    },
    /** Whether a zone begins at this name, which then cannot be an alias (RFC 1912 section 2.4). False if unknown. */
    async isZone(name: string): Promise<boolean> {
      try {
        await ask((resolver) => resolver.resolveSoa(name));
        return true;
      } catch {
        return false;
      }
    },
  };
}

export type NameLookup = ReturnType<typeof createNameLookup>;

function withoutDns(name: string): string | null {
  if (name === 'localhost' || name.endsWith('.localhost')) return loopback;
  const literal = name.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(literal) ? ipaddr.process(literal).toString() : null;
}

/** c-ares' error codes: `ENOTFOUND`, `ETIMEOUT`, `ESERVFAIL` … */
function getCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'EUNKNOWN';
}

function nothing(codes: readonly string[]): Addresses {
  if (codes.some((code) => code === 'ETIMEOUT' || code === 'ECANCELLED')) return { kind: 'late' };
  const failed = codes.find((code) => code !== 'ENOTFOUND' && code !== 'ENODATA');
  if (failed !== undefined) return { kind: 'failed', code: failed.replace(/^E/, '') };
  return { kind: codes.includes('ENOTFOUND') ? 'missing' : 'empty' };
}
