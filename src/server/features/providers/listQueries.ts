import { and, asc, between, eq, gt, isNotNull, or, type SQL, sql, type SQLWrapper } from 'drizzle-orm';
import type { AdminProvider } from '#shared/admin/adminProviders.ts';
import {
  isOfPlace,
  placePageSize,
  type ProviderListInput,
  providersPageSize,
  wholeListMax,
} from '#shared/providers/providerList.ts';
import type { GeoBox, GeoPoint } from '#shared/leads/geo.ts';
import type { PublicProvider } from '#shared/providers/providerFieldLists.ts';
import type { Database } from '#server/db/connect.ts';
import { providers } from '#server/db/schema/index.ts';
import { AppError } from '#server/errors.ts';
import { publicColumns } from '#server/db/providerFields.ts';
import { earthCube } from '../matching/distance.ts';
import type { ZipTable } from '../matching/zipTable.ts';
import { selectForStaff, toAdminProvider } from './providerColumns.ts';
import { listUnreachable } from '../unreachable/listUnreachable.ts';

/** A page of the list: by id; in a box from south to north; or with `near` by distance. */
interface ListPart {
  cursor?: number | undefined;
  limit: number;
  bbox?: GeoBox | undefined;
  near?: GeoPoint | undefined;
}

export interface ListPage<Provider> {
  rows: Provider[];
  /** The cursor of the page that follows; null: this is the last one. */
  next: number | null;
}

type Status = 'active' | 'inactive' | 'all';

/** The part of the list that a request asks for. Throws UNPROCESSABLE_CONTENT for an unknown ZIP. */
export function getPart(
  input: ProviderListInput,
  { zipTable, pageSize = providersPageSize }: { zipTable: ZipTable; pageSize?: number },
): ListPart {
  const { cursor, limit, bbox, near } = input;
  return {
    cursor,
    limit: limit ?? (isOfPlace(input) ? placePageSize : pageSize),
    bbox,
    near: near !== undefined && 'zip' in near ? toPoint(near.zip, zipTable) : near,
  };
}

function toPoint(zip: string, zipTable: ZipTable): GeoPoint {
  const place = zipTable.lookup(zip);
  if (place !== null) return place;
  const message = 'We don’t know this ZIP code.';
  throw new AppError('UNPROCESSABLE_CONTENT', message, { fields: { near: message } });
}

function hasStatus(status: Status): SQL | undefined {
  return status === 'all' ? undefined : eq(providers.status, status === 'active' ? 't' : 'f');
}

/** Uses providers_active_point_idx. */
function isBetween({ south, north }: GeoBox): SQL | undefined {
  const { latitude } = providers;
  return and(isNotNull(latitude), between(latitude, south, north));
}

function isBeside({ west, east }: GeoBox, longitude: SQLWrapper): SQL | undefined {
  return west <= east
    ? between(longitude, west, east)
    : or(between(longitude, west, 180), between(longitude, -180, east));
}

/**
 * The nearest ids, with distances. The index orders by distance only: equally near ones are sorted by id afterwards.
 */
function findNearest(near: GeoPoint, status: Status, limit: number): SQL {
  const metres = sql`${providers.location} <-> ${earthCube(near)}::cube`;
  const where = and(hasStatus(status), isNotNull(providers.location));
  return sql`(select ${providers.id} as id, ${metres} as metres from ${providers} where ${where}
    order by ${metres} fetch first ${sql.raw(String(limit))} rows with ties) nearest`;
}

/** One more row than the page shows that another page follows. */
function buildPage<Provider extends { id: number }>(
  found: readonly Provider[],
  { limit, near }: ListPart,
): ListPage<Provider> {
  const rows = found.slice(0, limit);
  const hasMore = near === undefined && found.length > limit;
  return { rows, next: hasMore ? (rows.at(-1)?.id ?? null) : null };
}

const { id, latitude, longitude } = providers;
const byId = [asc(id)];
/** The order of providers_active_point_idx, so that a page ends where it is full, however many there are in the box. */
const byPoint = [asc(latitude), asc(longitude), asc(id)];

function isAfter(cursor: number): SQL {
  return sql`(${latitude}, ${longitude}, ${id}) >
    (select last.latitude, last.longitude, last.id from ${providers} last where last.id = ${cursor})`;
}

/** The rows of a page and of those after it, in the order of `getOrder`. In a box, of the whole width of the earth. */
function rowsFrom(status: Status, { cursor, bbox }: ListPart): SQL | undefined {
  const fits = hasStatus(status);
  if (bbox === undefined) return and(fits, cursor === undefined ? undefined : gt(id, cursor));
  return and(fits, isBetween(bbox), cursor === undefined ? undefined : isAfter(cursor));
}

function toRows(status: Status, part: ListPart): SQL | undefined {
  return and(rowsFrom(status, part), part.bbox === undefined ? undefined : isBeside(part.bbox, longitude));
}

function getOrder({ bbox }: ListPart): SQL[] {
  return bbox === undefined ? byId : byPoint;
}

/** Entries of the index that a page of a box reads at most. */
const scannedMax = 10_000;

/**
 * A page of the active providers' public fields. A page of a narrow box that reads `scanned` entries of the index
 * without being full ends there: it has fewer rows than its limit, and a next page. One statement, or two.
 */
export async function listActivePage(
  db: Database,
  part: ListPart,
  scanned = scannedMax,
): Promise<ListPage<PublicProvider>> {
  const { near, bbox, limit } = part;
  if (bbox !== undefined) return listActiveInBox(db, { ...part, bbox }, scanned);
  const query = db.select(publicColumns).from(providers).$dynamic();
  const rows = await (near === undefined
    ? query
        .where(toRows('active', part))
        .orderBy(...byId)
        .limit(limit + 1)
    : query
        .innerJoin(findNearest(near, 'active', limit), sql`nearest.id = ${providers.id}`)
        .orderBy(sql`nearest.metres`, asc(providers.id))
        .limit(limit));
  return buildPage(rows, part);
}

async function listActiveInBox(
  db: Database,
  part: ListPart & { bbox: GeoBox },
  scanned: number,
): Promise<ListPage<PublicProvider>> {
  const entries = () =>
    db
      .select({ id, latitude, longitude })
      .from(providers)
      .where(rowsFrom('active', part))
      .orderBy(...byPoint);
  const read = entries().limit(scanned).as('read');
  const rows = await db
    .select(publicColumns)
    .from(read)
    .innerJoin(providers, eq(providers.id, read.id))
    .where(isBeside(part.bbox, sql`${read.longitude}`))
    .orderBy(asc(read.latitude), asc(read.longitude), asc(read.id))
    .limit(part.limit + 1);
  const page = buildPage(rows, part);
  if (page.next !== null) return page;
  const [last] = await entries()
    .offset(scanned - 1)
    .limit(1);
  return { ...page, next: last?.id ?? null };
}

/** A page of the providers of a status with their fields for staff, and how many there are in all. */
export async function listStaffPage(
  db: Database,
  input: ProviderListInput,
  zipTable: ZipTable,
): Promise<ListPage<AdminProvider> & { total: number }> {
  const { status } = input;
  const part = getPart(input, { zipTable, pageSize: wholeListMax });
  const { near, limit } = part;
  const query = selectForStaff(db);
  const [rows, total, unreachable] = await Promise.all([
    near === undefined
      ? query
          .where(toRows(status, part))
          .orderBy(...getOrder(part))
          .limit(limit + 1)
      : query
          .innerJoin(findNearest(near, status, limit), sql`nearest.id = ${providers.id}`)
          .orderBy(sql`nearest.metres`, asc(providers.id))
          .limit(limit),
    db.$count(providers, hasStatus(status)),
    listUnreachable(db),
  ]);
  const page = buildPage(rows, part);
  return { ...page, rows: page.rows.map((row) => toAdminProvider(row, unreachable)), total };
}
