import { z } from 'zod';
import { zipFive } from '../leads/zip.ts';
import type { GeoBox, GeoPoint } from '../leads/geo.ts';

/** Up to this many active providers, `GET /api/providers` without parameters returns all of them. */
export const wholeListMax = 10_000;
/** Rows of one page, unless `limit` asks for fewer, and the most that `limit` may ask for. */
export const providersPageSize = 1_000;
/** Rows of the part that `near` or `bbox` chooses, unless `limit` asks for another number. */
export const placePageSize = 50;
/** A page of more rows costs a batch more, and one of `near` or `bbox` has a limit of its own. The maps ask for so many. */
const usualPageMax = 100;

const messages = {
  cursor: 'Use the `cursor` of the `Link` header of the page before.',
  limit: `Enter a limit from 1 to ${providersPageSize.toLocaleString('en-US')}.`,
  bbox: 'Enter west,south,east,north in degrees, such as -105.3,39.5,-104.6,40.1.',
  near: 'Enter latitude,longitude in degrees, such as 39.74,-104.99, or a ZIP code.',
  nearAlone: 'Use `near` without `bbox` and `cursor`: it has one page.',
};

/** The numbers of `1.5,-2`; null unless there are exactly so many. */
function listNumbers(text: string, count: number): number[] | null {
  const parts = text.split(',').map((part) => part.trim());
  return parts.length === count && parts.every((part) => /^-?\d{1,3}(\.\d{1,15})?$/.test(part))
    ? parts.map(Number)
    : null;
}

const isLatitude = (degrees: number): boolean => Math.abs(degrees) <= 90;
const isLongitude = (degrees: number): boolean => Math.abs(degrees) <= 180;

function parseBox(text: string): GeoBox | null {
  const [west = NaN, south = NaN, east = NaN, north = NaN] = listNumbers(text, 4) ?? [];
  const isBox = isLongitude(west) && isLongitude(east) && isLatitude(south) && isLatitude(north);
  return isBox && south <= north ? { west, south, east, north } : null;
}

function parsePlace(text: string): GeoPoint | { zip: string } | null {
  const zip = zipFive(text);
  if (zip !== null) return { zip };
  const [latitude = NaN, longitude = NaN] = listNumbers(text, 2) ?? [];
  return isLatitude(latitude) && isLongitude(longitude) ? { latitude, longitude } : null;
}

/** A text that `parse` understands. */
function parsed<Value>(parse: (text: string) => Value | null, message: string) {
  return z.string(message).transform((text, issues): Value => {
    const value = parse(text);
    if (value !== null) return value;
    issues.addIssue(message);
    return z.NEVER;
  });
}

export const providerListInput = z
  .object({
    status: z
      .enum(['active', 'inactive', 'all'])
      .default('active')
      .meta({ description: 'Which providers; others than active ones need a token or a session' }),
    /** The id of the last provider of the page before. */
    cursor: z
      .number(messages.cursor)
      .int(messages.cursor)
      .positive(messages.cursor)
      .optional()
      .meta({ description: 'From the `Link` header: the page after this provider' }),
    limit: z
      .number(messages.limit)
      .int(messages.limit)
      .min(1, messages.limit)
      .max(providersPageSize, messages.limit)
      .optional()
      .meta({
        description: `Rows of a page; ${providersPageSize.toLocaleString('en-US')} at most; ${placePageSize} with \`bbox\` or \`near\` if left out`,
      }),
    bbox: parsed(parseBox, messages.bbox)
      .optional()
      .meta({ description: 'west,south,east,north in degrees: providers with coordinates in this box' }),
    near: parsed(parsePlace, messages.near)
      .optional()
      .meta({ description: 'latitude,longitude or a ZIP code: the nearest first, one page' }),
  })
  .superRefine(({ near, bbox, cursor }, issues) => {
    if (near !== undefined && (bbox !== undefined || cursor !== undefined))
      issues.addIssue({ code: 'custom', path: ['near'], message: messages.nearAlone });
  });
export type ProviderListInput = z.output<typeof providerListInput>;

/** Whether a request asks for the list without choosing a part of it. */
export function asksForAll({ cursor, limit, bbox, near }: ProviderListInput): boolean {
  return [cursor, limit, bbox, near].every((part) => part === undefined);
}

/** Whether a page may have more rows than `usualPageMax`. */
export function isLargePage(input: ProviderListInput): boolean {
  const { limit } = input;
  return (limit ?? (isOfPlace(input) ? placePageSize : providersPageSize)) > usualPageMax;
}

/** Whether a request chooses a part of the map. */
export function isOfPlace({ bbox, near }: ProviderListInput): boolean {
  return bbox !== undefined || near !== undefined;
}

/** Providers that the server lists in a page for visitors without scripts. */
export const listingSize = 20;

/** A place with its page and the number of its providers. */
export interface CountedPlace {
  name: string;
  path: string;
  count: number;
}

export interface ProviderListing {
  /** Another for any other listing. */
  key: string;
  /** How many there are in all. */
  total: number;
  entries: { name: string; place: string; href: string; phone: string | null; phoneHref: string | null }[];
  /** How many each state has, with the paths of their pages. */
  states: CountedPlace[];
  /** Providers farther from a place than this are far. */
  radiusMiles: number;
}
