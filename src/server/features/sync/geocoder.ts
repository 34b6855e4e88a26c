import { z } from 'zod';
import type { GeoPoint } from '#shared/leads/geo.ts';
import { readBody } from '#server/security/readBody.ts';

/** Finds where an address is; null for one it doesn't know or refuses. Throws when it can't be asked. */
export type Geocoder = (address: string) => Promise<GeoPoint | null>;

const timeoutMs = 10_000;
const responseBytesMax = 1024 * 1024;

/** The US Census Bureau's answer, of which the best match comes first; x is the longitude. */
const censusAnswer = z.object({
  result: z.object({
    addressMatches: z.array(
      z.object({
        coordinates: z.object({ x: z.number().min(-180).max(180), y: z.number().min(-90).max(90) }),
      }),
    ),
  }),
});

/** Whether it is the address that isn't liked, not the moment: asked for again it would fail again, before all others. */
function refusesAddress(status: number): boolean {
  // Of the service itself tell the others: its address, its key, its limits.
  return status === 400 || status === 413 || status === 414 || status === 422;
}

/** Asks a service that answers as the Census Bureau's `locations/onelineaddress` does, at that address. */
export function createCensusGeocoder(url: string): Geocoder {
  return async (address) => {
    const asked = new URL(url);
    asked.searchParams.set('address', address);
    asked.searchParams.set('format', 'json');
    if (!asked.searchParams.has('benchmark')) asked.searchParams.set('benchmark', 'Public_AR_Current');
    const response = await fetch(asked, { signal: AbortSignal.timeout(timeoutMs) });
    const body = await readBody(response.body, { bytesMax: responseBytesMax });
    if (refusesAddress(response.status)) return null;
    if (!response.ok) throw new Error(`the geocoder answers ${response.status}`);
    const [best] = censusAnswer.parse(JSON.parse(new TextDecoder().decode(body))).result.addressMatches;
    return best === undefined ? null : { latitude: best.coordinates.y, longitude: best.coordinates.x };
  };
}
