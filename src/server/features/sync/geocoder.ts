import { z } from 'zod';
import type { GeoPoint } from '#shared/leads/geo.ts';
import { readBody } from '#server/security/readBody.ts';
import { traceHeaders } from '#server/log.ts';

/**
 * Finds the coordinates of an address; null if the geocoder does not know or accept it. Throws if the geocoder fails.
 */
export type Geocoder = (address: string) => Promise<GeoPoint | null>;

const timeoutMs = 10_000;
const responseBytesMax = 1024 * 1024;

/** The US Census Bureau's response, best match first; x is the longitude. */
const censusAnswer = z.object({
  result: z.object({
    addressMatches: z.array(
      z.object({
        coordinates: z.object({ x: z.number().min(-180).max(180), y: z.number().min(-90).max(90) }),
      }),
    ),
  }),
});

/** Whether the address is the problem and not the service: a retry would fail again, ahead of all others. */
function refusesAddress(status: number): boolean {
  // Other statuses are about the service itself: its URL, its key, its limits.
  return status === 400 || status === 413 || status === 414 || status === 422;
}

/** A geocoder at this URL, compatible with the Census Bureau's `locations/onelineaddress`. */
export function createCensusGeocoder(url: string): Geocoder {
  return async (address) => {
    const asked = new URL(url);
    asked.searchParams.set('address', address);
    asked.searchParams.set('format', 'json');
    if (!asked.searchParams.has('benchmark')) asked.searchParams.set('benchmark', 'Public_AR_Current');
    const response = await fetch(asked, {
      headers: traceHeaders(),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body = await readBody(response.body, { bytesMax: responseBytesMax });
    if (refusesAddress(response.status)) return null;
    if (!response.ok) throw new Error(`the geocoder answers ${response.status}`);
    const [best] = censusAnswer.parse(JSON.parse(new TextDecoder().decode(body))).result.addressMatches;
    return best === undefined ? null : { latitude: best.coordinates.y, longitude: best.coordinates.x };
  };
}
