import { z } from 'zod';

/** A map's zoom as street maps count it: the world is 256 px wide at zoom 0. */
const zoomMax = 20;
const longitude = z.number().min(-180).max(180);
const latitude = z.number().min(-90).max(90);

export const mapViewInput = z
  .object({
    west: longitude,
    south: latitude,
    east: longitude,
    north: latitude,
    zoom: z.number().int().min(0).max(zoomMax),
  })
  .superRefine(({ west, south, east, north }, issues) => {
    if (west > east)
      issues.addIssue({ code: 'custom', path: ['west'], message: 'Enter a west that is less than `east`.' });
    if (south > north)
      issues.addIssue({
        code: 'custom',
        path: ['south'],
        message: 'Enter a south that is less than `north`.',
      });
  });
export type MapViewInput = z.output<typeof mapViewInput>;

const mapPoint = z.object({ latitude: z.number(), longitude: z.number() });

/** Several providers that are too close to one another for pins of their own. The box contains all of them. */
const mapCluster = mapPoint.extend({
  count: z.number().int().min(2),
  west: longitude,
  south: latitude,
  east: longitude,
  north: latitude,
});
export type MapCluster = z.output<typeof mapCluster>;

const providerPoint = mapPoint.extend({ id: z.number().int() });
export type ProviderPoint = z.output<typeof providerPoint>;

/** What a map shows: clusters, and single providers. */
export const mapView = z.object({
  /** All active providers, also those elsewhere and without coordinates. */
  total: z.number().int(),
  clusters: z.array(mapCluster),
  pins: z.array(providerPoint),
});
export type MapView = z.output<typeof mapView>;
