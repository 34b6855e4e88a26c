import type { FeatureCollection, MultiLineString, Point } from 'geojson';
import { feature } from 'topojson-client';
import type { MultiLineString as Arcs, Topology } from 'topojson-specification';
import countyLinesUrl from './countyLines.json?url';

/** The borders between a state's counties and the counties' names, from our own origin (scripts/buildBasemap.ts). */
export type CountyLines = FeatureCollection<MultiLineString | Point, { name?: string }>;

type CountyFile = Topology<{ borders: Arcs }> & {
  names: [name: string, longitude: number, latitude: number][];
};

let loaded: Promise<CountyLines> | null = null;

/** Fetched once for all maps. After a failure, the next caller fetches it again. */
export async function loadCountyLines(): Promise<CountyLines> {
  loaded ??= fetchCountyLines();
  try {
    return await loaded;
  } catch (error) {
    loaded = null;
    throw error;
  }
}

async function fetchCountyLines(): Promise<CountyLines> {
  const response = await fetch(countyLinesUrl);
  if (!response.ok) throw new Error(`The counties were answered ${response.status}`);
  const { names, ...topology }: CountyFile = await response.json();
  const { geometry } = feature<object>(topology, topology.objects.borders);
  return {
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', geometry, properties: {} },
      ...names.map(([name, ...coordinates]) => ({
        type: 'Feature' as const,
        geometry: { type: 'Point' as const, coordinates },
        properties: { name },
      })),
    ],
  };
}
