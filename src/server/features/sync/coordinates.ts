import { fieldMessages, skipMessages } from '#server/features/sync/messages.ts';
import { type GeoPoint, greatCircleMiles } from '#shared/leads/geo.ts';
import type { ZipTable } from '../matching/zipTable.ts';
import { SkipError } from './fieldValues.ts';

/**
 * No provider is farther from the center of its ZIP code. Beyond, a sign is missing or the numbers belong to another
 * place.
 */
export const milesFromZipMax = 500;

/**
 * Degrees with the six decimals that are stored; null for an empty value and for 0, which WordPress returns for a
 * number that was never set.
 */
function degrees(column: 'latitude' | 'longitude', value: unknown): number | null {
  if (value === null || value === '') return null;
  const text =
    typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim().slice(0, 40) : 'x';
  const number =
    /^[+-]?\d{1,3}(?:\.\d*)?$/.test(text) || typeof value === 'number' ? Number(text) : Number.NaN;
  if (!Number.isFinite(number)) throw new SkipError(skipMessages.notNumber(fieldMessages[column]));
  return number === 0 ? null : Math.round(number * 1e6) / 1e6;
}

/**
 * A provider's coordinates, checked against its ZIP code; null if one is missing. Throws SkipError if latitude and
 * longitude are swapped, off the globe, or more than five hundred miles from the ZIP code: such a provider would get
 * the leads of another region.
 */
export function readPlace(
  value: { latitude: unknown; longitude: unknown },
  zip: string,
  zipTable: Pick<ZipTable, 'lookup'>,
): GeoPoint | null {
  const latitude = degrees('latitude', value.latitude);
  const longitude = degrees('longitude', value.longitude);
  const center = zipTable.lookup(zip);
  if (center === null) throw new SkipError(skipMessages.unknownZip(zip));
  if (latitude === null || longitude === null) return null;
  const isOnGlobe = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  const milesAway = isOnGlobe ? greatCircleMiles({ latitude, longitude }, center) : Infinity;
  if (milesAway <= milesFromZipMax) return { latitude, longitude };
  const isSwapped =
    Math.abs(longitude) <= 90 &&
    Math.abs(latitude) <= 180 &&
    greatCircleMiles({ latitude: longitude, longitude: latitude }, center) <= milesFromZipMax;
  if (isSwapped) throw new SkipError(skipMessages.swapped);
  if (Math.abs(latitude) > 90) throw new SkipError(skipMessages.range(fieldMessages.latitude));
  if (Math.abs(longitude) > 180) throw new SkipError(skipMessages.range(fieldMessages.longitude));
  throw new SkipError(skipMessages.farFromZip(Math.round(milesAway), zip));
}
