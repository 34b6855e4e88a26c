import { inArray, and, eq } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { placeTexts } from '#shared/brand/directory.ts';
import type { GeoPoint } from '#shared/leads/geo.ts';
import {
  type DirectoryListing,
  directoryPath,
  type DirectoryPlace,
  toSlug,
} from '#shared/pages/directory.ts';
import { providerHome } from '#shared/pages/site.ts';
import { addressLine, findTown } from '#shared/providers/addressParts.ts';
import { type CountedPlace as Counted, wholeListMax } from '#shared/providers/providerList.ts';
import { findStateName } from '#shared/providers/states.ts';
import { toProviderView } from '#shared/providers/providerView.ts';
import { type CachedUntilChange, cacheUntilChange } from '#server/cache/caches.ts';
import { type Config, publicConfig } from '#server/config/config.ts';
import type { Database, Sql } from '#server/db/connect.ts';
import { publicColumns } from '#server/db/providerFields.ts';
import { providers } from '#server/db/schema/index.ts';
import { toAppError } from '#server/errors.ts';
import type { DatabaseGate } from '#server/db/withTimeout.ts';
import type { Awaitable, TenantDirectory } from '#server/tenant/site.ts';
import { findZipTown } from '#server/tenant/zipTowns.ts';
import type { ZipTable } from '../matching/zipTable.ts';
import { findNearest, sortNorthward } from './nearestTowns.ts';

/** Providers on one page. */
export const directoryPageSize = 20;
/** Towns that a state's page names. The others follow from its list of providers. */
const townsMax = 60;
const nearbyMax = 5;
const rowsPerFetch = 5_000;
/** Listings in memory: some 5 KB each. */
const listingsMax = 2_000;

interface Town {
  /** Of its state. */
  code: string;
  slug: string;
  /** The most frequent spelling, of equally frequent ones the first. */
  name: string;
  /** How often each spelling occurs. */
  spellings: Map<string, number>;
  ids: number[];
  /** Of the first provider with a place. */
  point: GeoPoint | null;
}

type PlacedTown = Town & { point: GeoPoint };

interface State {
  code: string;
  name: string;
  towns: Map<string, Town>;
  /** Providers without a known town. */
  otherIds: number[];
  /** The towns by name, once a page has needed them. */
  byName: Town[] | null;
}

/** Active providers by state and town, each list by name. */
interface DirectoryIndex {
  states: Map<string, State>;
  total: number;
  /** For `findNearest`. */
  northward: PlacedTown[];
}

interface PlacedRow {
  id: number;
  address: string | null;
  zipCode: string;
  latitude: number | null;
  longitude: number | null;
}

/** Reads the places of all active providers: 50,000 in half a second, a batch at a time. */
async function readIndex(sql: Sql, zipTable: ZipTable): Promise<DirectoryIndex> {
  const index: DirectoryIndex = { states: new Map(), total: 0, northward: [] };
  const query = sql<PlacedRow[]>`
    select id::float8 as id, address, zip_code as "zipCode", latitude::float8 as latitude, longitude::float8 as longitude
    from providers where status = 't' order by lower(coalesce(nullif(practice_name, ''), name)), id`;
  for await (const rows of query.cursor(rowsPerFetch)) for (const row of rows) addRow(index, row, zipTable);
  const towns = [...index.states.values()].flatMap((state) => [...state.towns.values()]);
  index.northward = sortNorthward(towns.filter(isPlaced));
  return index;
}

function addRow(index: DirectoryIndex, row: PlacedRow, zipTable: ZipTable): void {
  index.total += 1;
  const place = findTown(row.address, row.zipCode, findZipTown);
  const name = place === null ? null : findStateName(place.state);
  if (place === null || name === null) return;
  const key = place.state.toLowerCase();
  const empty: State = { code: place.state, name, towns: new Map(), otherIds: [], byName: null };
  const state = index.states.get(key) ?? empty;
  index.states.set(key, state);
  const slug = toSlug(place.city ?? '');
  if (place.city === null || slug === '') {
    state.otherIds.push(row.id);
    return;
  }
  const none: Town = {
    ...{ code: place.state, slug, name: place.city },
    ...{ spellings: new Map(), ids: [], point: null },
  };
  const town = state.towns.get(slug) ?? none;
  state.towns.set(slug, town);
  town.ids.push(row.id);
  const times = (town.spellings.get(place.city) ?? 0) + 1;
  town.spellings.set(place.city, times);
  if (times > (town.spellings.get(town.name) ?? 0)) town.name = place.city;
  town.point ??= toPoint(row, zipTable);
}

function toPoint({ latitude, longitude, zipCode }: PlacedRow, zipTable: ZipTable): GeoPoint | null {
  if (latitude !== null && longitude !== null) return { latitude, longitude };
  return zipTable.lookup(zipCode.slice(0, 5));
}

function countState({ towns, otherIds }: State): number {
  return [...towns.values()].reduce((sum, { ids }) => sum + ids.length, otherIds.length);
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name.localeCompare(b.name, 'en-US');
}

function listStates({ states }: DirectoryIndex): Counted[] {
  return [...states]
    .map(([key, state]) => ({
      name: state.name,
      path: directoryPath({ state: key }),
      count: countState(state),
    }))
    .toSorted(byName);
}

function sortTowns(state: State): Town[] {
  return (state.byName ??= [...state.towns.values()].toSorted(byName));
}

function townPath({ code, slug }: Town): string {
  return directoryPath({ state: code.toLowerCase(), city: slug });
}

function countTown(town: Town): Counted {
  return { name: town.name, path: townPath(town), count: town.ids.length };
}

function isPlaced(town: Town): town is PlacedTown {
  return town.point !== null;
}

/** The nearest other towns with a provider. */
function listNearby({ northward }: DirectoryIndex, town: Town): DirectoryListing['nearby'] {
  if (!isPlaced(town)) return [];
  return findNearest(northward, town, nearbyMax).map(({ town: other, miles }) => ({
    name: `${other.name}, ${other.code}`,
    path: townPath(other),
    miles,
  }));
}

type Outline = Omit<DirectoryListing, 'page' | 'pageCount' | 'providers' | 'text' | 'isIndexed'>;

/** What a place's page says besides its providers, and their ids; null for a place without providers. */
function describePlace(
  index: DirectoryIndex,
  { state: key, city }: DirectoryPlace,
): { outline: Outline; ids: number[] } | null {
  const root = { name: '', path: directoryPath({}) };
  if (key === null) {
    const places = listStates(index);
    const facts = { place: null, total: index.total, placeCount: places.length, places, nearby: [] };
    return { outline: { ...facts, path: root.path, trail: [root] }, ids: [] };
  }
  const state = index.states.get(key);
  if (state === undefined) return null;
  const stateLink = { name: state.name, path: directoryPath({ state: key }) };
  if (city === null) {
    const towns = sortTowns(state);
    const shown = towns.toSorted((a, b) => b.ids.length - a.ids.length).slice(0, townsMax);
    const places = shown.toSorted(byName).map(countTown);
    const ids = [...towns.flatMap((town) => town.ids), ...state.otherIds];
    const facts = { place: state.name, total: ids.length, placeCount: towns.length, places, nearby: [] };
    return { outline: { ...facts, path: stateLink.path, trail: [root, stateLink] }, ids };
  }
  const town = state.towns.get(city);
  if (town === undefined) return null;
  const link = { name: town.name, path: townPath(town) };
  const nearby = listNearby(index, town);
  const place = `${link.name}, ${state.code}`;
  const facts = { place, total: town.ids.length, placeCount: null, places: [], nearby };
  return { outline: { ...facts, path: link.path, trail: [root, stateLink, link] }, ids: town.ids };
}

/** A page about one provider says nothing that its own site doesn't, unless the brand has a text about the place. */
function isIndexed(path: string, total: number): boolean {
  return total > 1 || placeTexts[path] !== undefined;
}

/** A listing is current while neither the index nor any provider has changed since. */
interface Cached {
  index: DirectoryIndex;
  revision: number | null;
  listing: DirectoryListing;
}

export interface Directory {
  /**
   * The page of a place, from memory until a provider changes; null if it has no providers. Cards follow a change at
   * once, counts within seconds. Throws SERVICE_UNAVAILABLE without a database, unless the page is in memory.
   */
  find: (place: DirectoryPlace) => Awaitable<DirectoryListing | null>;
  /** States with a provider, by name. */
  listStates: () => Promise<Counted[]>;
  /** The paths of the pages that search engines may list. */
  listIndexedPaths: () => Promise<string[]>;
}

interface Options {
  sql: Sql;
  db: Database;
  reads: DatabaseGate;
  zipTable: ZipTable;
  tenants: Pick<TenantDirectory, 'revision' | 'stats'>;
  config: Config;
}

/** The directory of active providers by state and town. One read of all their addresses after a change. */
export function createDirectory({ sql, db, reads, zipTable, tenants, config }: Options): Directory {
  const { revision } = tenants;
  const index: CachedUntilChange<DirectoryIndex> = cacheUntilChange({
    load: () => readIndex(sql, zipTable),
    revision,
    servesStale: () => tenants.stats().providers > wholeListMax,
  });
  const listings = new LRUCache<string, Cached>({ max: listingsMax });

  async function listProviders(ids: readonly number[]): Promise<DirectoryListing['providers']> {
    if (ids.length === 0) return [];
    const rows = await db
      .select(publicColumns)
      .from(providers)
      .where(and(inArray(providers.id, [...ids]), eq(providers.status, 't')));
    const { mainOrigin } = publicConfig(config);
    return rows
      .toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
      .map((row) => {
        const view = toProviderView(row);
        const { id, label, address, zipCode, phone, phoneHref } = view;
        return {
          id,
          name: label,
          address: addressLine(address ?? '', zipCode).trim(),
          phone,
          phoneHref,
          href: providerHome(view, mainOrigin),
          acceptsFreeConsultation: view.acceptsFreeConsultation,
          acceptsFinancing: view.acceptsFinancing,
        };
      });
  }

  async function read(current: DirectoryIndex, place: DirectoryPlace): Promise<DirectoryListing | null> {
    const found = describePlace(current, place);
    if (found === null) return null;
    const { outline, ids } = found;
    const pageCount = Math.max(1, Math.ceil(ids.length / directoryPageSize));
    const first = (place.page - 1) * directoryPageSize;
    const listed = await reads.ask(() => listProviders(ids.slice(first, first + directoryPageSize)));
    // The index may be older than the deactivation of a provider.
    if (place.page > pageCount || (place.state !== null && listed.length === 0)) return null;
    return {
      ...outline,
      page: place.page,
      pageCount,
      providers: listed,
      text: placeTexts[outline.path] ?? null,
      isIndexed: isIndexed(outline.path, outline.total),
    };
  }

  const running = new Map<string, Promise<DirectoryListing | null>>();

  /** Equal requests share one read, unless a provider has changed since it began. */
  function readOnce(key: string, place: DirectoryPlace): Promise<DirectoryListing | null> {
    const at = revision();
    if (at === null) return readAgain(key, place);
    const runningKey = `${at} ${key}`;
    const known = running.get(runningKey);
    if (known !== undefined) return known;
    const reading = readAgain(key, place).finally(() => running.delete(runningKey));
    running.set(runningKey, reading);
    return reading;
  }

  async function readAgain(key: string, place: DirectoryPlace): Promise<DirectoryListing | null> {
    const at = revision();
    try {
      const current = await index.get();
      const listing = await read(current, place);
      if (listing === null) listings.delete(key);
      else listings.set(key, { index: current, revision: at, listing });
      return listing;
    } catch (error) {
      const known = listings.get(key);
      if (known === undefined || toAppError(error).code !== 'SERVICE_UNAVAILABLE') throw error;
      return known.listing;
    }
  }

  return {
    find(place) {
      const key = directoryPath(place);
      const known = listings.get(key);
      const isCurrent = known !== undefined && known.revision !== null && known.revision === revision();
      return isCurrent && known.index === index.get() ? known.listing : readOnce(key, place);
    },
    listStates: async () => listStates(await index.get()),
    async listIndexedPaths() {
      const current = await index.get();
      const towns = [...current.states.values()].flatMap((state) => sortTowns(state).map(countTown));
      const root = { path: directoryPath({}), count: current.total };
      return [root, ...listStates(current), ...towns]
        .filter(({ path, count }) => isIndexed(path, count))
        .map(({ path }) => path);
    },
  };
}
