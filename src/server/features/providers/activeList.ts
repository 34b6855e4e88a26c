import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { PublicProvider } from '#shared/providers/providers.ts';
import { prepareJson, type PreparedJson } from '#server/preparedJson.ts';
import { cacheUntilChange } from './cacheUntilChange.ts';

const decompress = promisify(gunzip);

export interface ActiveList {
  /**
   * The active providers' public fields, by id, as JSON. Created again by the first request after a change that this
   * process received; other requests wait for the same result. While the database is unavailable, the last list is
   * returned. Throws SERVICE_UNAVAILABLE if there is none.
   */
  get: () => Promise<PreparedJson>;
  /** The same as a tRPC response: `{"result":{"data":[…]}}`. Created on its first request. */
  getEnvelope: () => Promise<PreparedJson>;
}

interface ActiveListOptions {
  list: () => Promise<PublicProvider[]>;
  /** See TenantDirectory. */
  revision: () => number | null;
}

export function createActiveList({ list, revision }: ActiveListOptions): ActiveList {
  const cached = cacheUntilChange({ make: async () => prepareList(await list()), revision });
  return {
    get: async () => (await cached.get()).list,
    getEnvelope: async () => (await cached.get()).envelope(),
  };
}

async function prepareList(
  providers: PublicProvider[],
): Promise<{ list: PreparedJson; envelope: () => Promise<PreparedJson> }> {
  const list = await prepareJson(JSON.stringify(providers));
  let envelope: Promise<PreparedJson> | null = null;

  async function prepareEnvelope(): Promise<PreparedJson> {
    const text = (await decompress(await list.body('gzip'))).toString();
    return prepareJson(`{"result":{"data":${text}}}`);
  }

  return { list, envelope: () => (envelope ??= prepareEnvelope()) };
}
