import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { providersPageSize, wholeListMax } from '#shared/providers/providerList.ts';
import type { PublicProvider } from '#shared/providers/providerFieldLists.ts';
import { prepareJson, type PreparedJson } from '#server/cache/preparedJson.ts';
import { cacheUntilChange } from '#server/cache/caches.ts';

const decompress = promisify(gunzip);

interface ListStart {
  json: PreparedJson;
  /** The id of the last provider on the first page; null if it is the whole list. */
  next: number | null;
}

export interface ActiveList {
  /**
   * The active providers' public fields, by id, as JSON: all of them, or the first page if there are more than
   * `wholeListMax`. Created again by the first request after a change that this process received; other requests wait
   * for the same result. While the database is unavailable, the last list is returned. Throws SERVICE_UNAVAILABLE if
   * there is none.
   */
  get: () => Promise<ListStart>;
  /** All of them as a tRPC response: `{"result":{"data":[…]}}`. Created on its first request. Null if there are more. */
  getEnvelope: () => Promise<PreparedJson | null>;
}

interface ActiveListOptions {
  /** The first `limit` active providers by id. */
  list: (limit: number) => Promise<PublicProvider[]>;
  /** See TenantDirectory. */
  revision: () => number | null;
  /** About how many there are, so that not ten thousand are read where only a page is shown. */
  total?: () => number;
}

interface Prepared extends ListStart {
  envelope: () => Promise<PreparedJson>;
}

export function createActiveList({ list, revision, total = () => 0 }: ActiveListOptions): ActiveList {
  async function make(): Promise<Prepared> {
    const wholeMax = total() > wholeListMax ? providersPageSize : wholeListMax;
    return prepareList(await list(wholeMax + 1), wholeMax);
  }
  const cached = cacheUntilChange({ load: make, revision });
  return {
    get: async () => cached.get(),
    async getEnvelope() {
      const { next, envelope } = await cached.get();
      return next === null ? envelope() : null;
    },
  };
}

async function prepareList(found: readonly PublicProvider[], wholeMax: number): Promise<Prepared> {
  const isWhole = found.length <= wholeMax;
  const shown = isWhole ? found : found.slice(0, providersPageSize);
  const json = await prepareJson(JSON.stringify(shown));
  let envelope: Promise<PreparedJson> | null = null;

  async function prepareEnvelope(): Promise<PreparedJson> {
    const text = (await decompress(await json.body('gzip'))).toString();
    return prepareJson(`{"result":{"data":${text}}}`);
  }

  return {
    json,
    next: isWhole ? null : (shown.at(-1)?.id ?? null),
    envelope: () => (envelope ??= prepareEnvelope()),
  };
}
