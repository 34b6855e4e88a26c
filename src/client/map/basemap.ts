import type { Feature, FeatureCollection, Geometry } from 'geojson';
import { merge, mesh } from 'topojson-client';
import type { MultiPolygon, Polygon, Topology } from 'topojson-specification';
import basemapUrl from './basemap.json?url';

interface StateProperties {
  name: string;
  /** The name, or the postal code where the name wouldn't fit a map of the whole country. */
  short: string;
  /** Where the name is written: longitude, latitude. */
  at: [number, number];
  /** Of a state that is too small for its name: the end of a line to the short name beside it. */
  beside?: [number, number];
}

type StateShape = (Polygon | MultiPolygon) & { properties: StateProperties };

type StatesFile = Topology<{ states: { type: 'GeometryCollection'; geometries: StateShape[] } }>;

/**
 * All land, whose edge is the coast; the lines between states; the places where names are written. A small state has one
 * place for the view of the whole country, with a line to it, and one for closer views.
 */
export type BasemapKind = 'land' | 'border' | 'name' | 'nameBeside' | 'lineBeside' | 'smallName';

type BasemapPart = { kind: BasemapKind } & Partial<Pick<StateProperties, 'name' | 'short'>>;

/** The ground under every map, from our own origin (scripts/buildBasemap.ts). */
export type Basemap = FeatureCollection<Geometry, BasemapPart>;

export async function loadBasemap(): Promise<Basemap> {
  const response = await fetch(basemapUrl);
  if (!response.ok) throw new Error(`The basemap was answered ${response.status}`);
  const topology: StatesFile = await response.json();
  const { states } = topology.objects;
  return {
    type: 'FeatureCollection',
    features: [
      // In one piece: state by state every border would be cut into tiles, and its corners filled, twice more.
      part(merge(topology, states.geometries), { kind: 'land' }),
      part(
        mesh(topology, states, (one, other) => one !== other),
        { kind: 'border' },
      ),
      ...states.geometries.flatMap(({ properties: { name, short, at, beside } }) =>
        beside === undefined
          ? [part({ type: 'Point', coordinates: at }, { kind: 'name', name, short })]
          : [
              part({ type: 'Point', coordinates: at }, { kind: 'smallName', name, short }),
              part({ type: 'Point', coordinates: beside }, { kind: 'nameBeside', name, short }),
              part({ type: 'LineString', coordinates: [at, beside] }, { kind: 'lineBeside' }),
            ],
      ),
    ],
  };
}

function part(geometry: Geometry, properties: BasemapPart): Feature<Geometry, BasemapPart> {
  return { type: 'Feature', geometry, properties };
}
