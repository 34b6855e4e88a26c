import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { providersPageSize, type PublicProvider } from '#shared/providers/providers.ts';
import { prepareJson, type PreparedJson } from '#server/preparedJson.ts';
import { cacheUntilChange } from './cacheUntilChange.ts';

const decompress = promisify(gunzip);

/** One page of the list, and how many providers there are in all. */
interface ActivePage {
  json: PreparedJson;
  total: number;
}

export interface ActiveList {
  /**
   * A page of the active providers' public fields, by id, as JSON; empty after the last. Created again by the first
   * request after a change that this process received; other requests wait for the same result. While the database is
   * unavailable, the last list is returned. Throws SERVICE_UNAVAILABLE if there is none.
   */
  get: (page?: number) => Promise<ActivePage>;
  /** All of them as a tRPC response: `{"result":{"data":[…]}}`. Created on its first request. */
  getEnvelope: () => Promise<PreparedJson>;
}

interface ActiveListOptions {
  list: () => Promise<PublicProvider[]>;
  /** See TenantDirectory. */
  revision: () => number | null;
}

interface Prepared {
  total: number;
  pages: readonly PreparedJson[];
  afterLast: PreparedJson;
  envelope: () => Promise<PreparedJson>;
}

export function createActiveList({ list, revision }: ActiveListOptions): ActiveList {
  const cached = cacheUntilChange({ make: async () => prepareList(await list()), revision });
  return {
    async get(page = 1) {
      const { pages, afterLast, total } = await cached.get();
      return { json: pages[page - 1] ?? afterLast, total };
    },
    getEnvelope: async () => (await cached.get()).envelope(),
  };
}

async function prepareList(providers: readonly PublicProvider[]): Promise<Prepared> {
  const pages: PreparedJson[] = [];
  for (let start = 0; start < providers.length; start += providersPageSize)
    pages.push(await prepareJson(JSON.stringify(providers.slice(start, start + providersPageSize))));
  let envelope: Promise<PreparedJson> | null = null;

  async function prepareEnvelope(): Promise<PreparedJson> {
    const texts = await Promise.all(
      pages.map(async ({ body }) => (await decompress(await body('gzip'))).toString().slice(1, -1)),
    );
    return prepareJson(`{"result":{"data":[${texts.join(',')}]}}`);
  }

  return {
    total: providers.length,
    pages,
    afterLast: await prepareJson('[]'),
    envelope: () => (envelope ??= prepareEnvelope()),
  };
}
