import type { Sql } from '../db/connect.ts';
import { toAppError } from '../errors.ts';
import type { TenantDirectory } from './site.ts';

const ending = '.localhost';

/** A provider's name as a label of a host: `Elm & Oak Clinic` → `elm-oak-clinic`. Empty if nothing of it is left. */
function toSlug(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/** The host of a provider's site on this machine. */
export function localHost(name: string): string {
  return `${toSlug(name)}${ending}`;
}

/** The active providers by slug. Of two with the same, the lower id. */
async function readSlugs(sql: Sql): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ id: string; name: string }[]>`
    select id::text as id, name from providers where status = 't' order by providers.id desc`;
  return new Map(rows.map(({ id, name }) => [toSlug(name), Number(id)]));
}

/**
 * For development: a directory in which `<slug>.localhost` is also the host of an active provider with another domain,
 * or without one. A provider whose domain is that host comes first. Reads all names once after each change.
 */
export function withLocalSites(tenants: TenantDirectory, sql: Sql): TenantDirectory {
  let known: { revision: number; slugs: Promise<ReadonlyMap<string, number>> } | null = null;

  function getSlugs(): Promise<ReadonlyMap<string, number>> {
    const revision = tenants.revision();
    if (revision === null) return readSlugs(sql);
    if (known?.revision !== revision) {
      known = { revision, slugs: readSlugs(sql) };
      known.slugs.catch(() => (known = null));
    }
    return known.slugs;
  }

  async function findBySlug(slug: string) {
    try {
      const id = (await getSlugs()).get(slug);
      return id === undefined ? null : await tenants.findById(id);
    } catch (error) {
      // As for any unknown host during an outage.
      if (toAppError(error).code === 'SERVICE_UNAVAILABLE') return null;
      throw error;
    }
  }

  return {
    ...tenants,
    findByHost(host) {
      const found = tenants.findByHost(host);
      if (!host.endsWith(ending)) return found;
      const slug = host.slice(0, -ending.length);
      if (found instanceof Promise) return found.then((record) => record ?? findBySlug(slug));
      return found ?? findBySlug(slug);
    },
  };
}
