import type { Feature, FeatureCollection, Geometry } from 'geojson';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import basemapUrl from './basemap.json?url';

interface StateProperties {
  name: string;
  /** The name, or the postal code where the name wouldn't fit a map of the whole country. */
  short: string;
  /** Where the name is written: longitude, latitude. */
  at: [number, number];
}

/** What a part of the ground is: a state's area, the line where land ends, the line between states, the place a name is written at. */
export type GroundKind = 'land' | 'coast' | 'border' | 'name';

type GroundPart = { kind: GroundKind } & Partial<Pick<StateProperties, 'name' | 'short'>>;

/** The ground under every map, from our own origin (scripts/buildBasemap.ts). One collection, as a map cuts each source into tiles by itself. */
export type Basemap = FeatureCollection<Geometry, GroundPart>;

export async function loadBasemap(): Promise<Basemap> {
  const response = await fetch(basemapUrl);
  if (!response.ok) throw new Error(`The basemap was answered ${response.status}`);
  const topology: Topology<{ states: GeometryCollection<StateProperties> }> = await response.json();
  const { states } = topology.objects;
  const shapes = feature(topology, states).features;
  const land = shapes.filter(({ geometry: { type } }) => type === 'Polygon' || type === 'MultiPolygon');
  return {
    type: 'FeatureCollection',
    features: [
      ...land.map(({ geometry }) => part(geometry, { kind: 'land' })),
      part(
        mesh(topology, states, (one, other) => one === other),
        { kind: 'coast' },
      ),
      part(
        mesh(topology, states, (one, other) => one !== other),
        { kind: 'border' },
      ),
      ...shapes.map(({ properties: { name, short, at } }) =>
        part({ type: 'Point', coordinates: at }, { kind: 'name', name, short }),
      ),
    ],
  };
}

function part(geometry: Geometry, properties: GroundPart): Feature<Geometry, GroundPart> {
  return { type: 'Feature', geometry, properties };
}
