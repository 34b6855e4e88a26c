import { plainText } from '#shared/formats/text.ts';
import { skipMessages } from './messages.ts';
import { syncedFields } from '#shared/providers/providerFieldLists.ts';
import { type GeoPoint, greatCircleMiles } from '#shared/leads/geo.ts';
import type { ZipTable } from '../matching/zipTable.ts';
import { SkipError } from './fieldValues.ts';

/** No provider is farther from its ZIP's center: a sign is missing, or the numbers belong to another place. */
export const milesFromZipMax = 500;

/** Degrees as maps and spreadsheets write them: a decimal comma, a typographic minus, a degree sign, a direction. */
const written = /^([+-]?)(\d{1,3}(?:[.,]\d*)?)\s*°?\s*([NSEW]?)$/i;
const directions = { latitude: { N: 1, S: -1 }, longitude: { E: 1, W: -1 } } as const;

function numberIn(column: 'latitude' | 'longitude', value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return Number.NaN;
  const text = plainText(value.slice(0, 40)).replace(/^\s*'/, '').trim();
  const [, sign, digits, direction = ''] = written.exec(text) ?? [];
  if (digits === undefined) return Number.NaN;
  const known: Partial<Record<string, number>> = directions[column];
  const factor = direction === '' ? 1 : sign === '' ? known[direction.toUpperCase()] : undefined;
  return Number(`${sign}${digits.replace(',', '.')}`) * (factor ?? Number.NaN);
}

/** Degrees with the six stored decimals; null if empty or 0, which WordPress returns for a number never set. */
function degrees(column: 'latitude' | 'longitude', value: unknown): number | null {
  if (value === null || (typeof value === 'string' && value.trim() === '')) return null;
  const number = numberIn(column, value);
  if (!Number.isFinite(number)) throw new SkipError(skipMessages.notNumber(syncedFields[column].label));
  return number === 0 ? null : Math.round(number * 1e6) / 1e6;
}

/** Coordinates as a source delivers them. */
export interface GivenPlace {
  latitude: unknown;
  longitude: unknown;
}

/**
 * The first pair of coordinates, checked against the ZIP code, or null. Throws SkipError for a swapped pair, one off
 * the globe, or one over five hundred miles from the ZIP code, which would get the leads of another region.
 */
export function readPlace(
  places: readonly GivenPlace[],
  zip: string,
  zipTable: Pick<ZipTable, 'lookup'>,
): GeoPoint | null {
  const center = zipTable.lookup(zip);
  if (center === null) throw new SkipError(skipMessages.unknownZip(zip));
  for (const place of places) {
    const latitude = degrees('latitude', place.latitude);
    const longitude = degrees('longitude', place.longitude);
    if (latitude !== null && longitude !== null) return checkPlace({ latitude, longitude }, zip, center);
  }
  return null;
}

function checkPlace({ latitude, longitude }: GeoPoint, zip: string, center: GeoPoint): GeoPoint {
  const isOnGlobe = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  const milesAway = isOnGlobe ? greatCircleMiles({ latitude, longitude }, center) : Infinity;
  if (milesAway <= milesFromZipMax) return { latitude, longitude };
  const isSwapped =
    Math.abs(longitude) <= 90 &&
    Math.abs(latitude) <= 180 &&
    greatCircleMiles({ latitude: longitude, longitude: latitude }, center) <= milesFromZipMax;
  if (isSwapped) throw new SkipError(skipMessages.swapped);
  if (Math.abs(latitude) > 90) throw new SkipError(skipMessages.range(syncedFields.latitude.label));
  if (Math.abs(longitude) > 180) throw new SkipError(skipMessages.range(syncedFields.longitude.label));
  throw new SkipError(skipMessages.farFromZip(Math.round(milesAway), zip));
}
