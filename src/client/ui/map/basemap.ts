import type {
  Feature,
  FeatureCollection,
  Geometry,
  MultiLineString,
  MultiPolygon,
  Point,
  Polygon,
} from 'geojson';
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

/** The ground under every map, from our own origin (scripts/buildBasemap.ts). */
export interface Basemap {
  land: FeatureCollection<Polygon | MultiPolygon>;
  coast: MultiLineString;
  borders: MultiLineString;
  names: FeatureCollection<Point, Pick<StateProperties, 'name' | 'short'>>;
}

export async function loadBasemap(): Promise<Basemap> {
  const response = await fetch(basemapUrl);
  if (!response.ok) throw new Error(`The basemap was answered ${response.status}`);
  const topology: Topology<{ states: GeometryCollection<StateProperties> }> = await response.json();
  const { states } = topology.objects;
  const shapes = feature(topology, states).features;
  return {
    land: { type: 'FeatureCollection', features: shapes.filter(isLand) },
    coast: mesh(topology, states, (one, other) => one === other),
    borders: mesh(topology, states, (one, other) => one !== other),
    names: {
      type: 'FeatureCollection',
      features: shapes.map(({ properties: { name, short, at } }) => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: at },
        properties: { name, short },
      })),
    },
  };
}

type Shape = Feature<Geometry, StateProperties>;

function isLand(shape: Shape): shape is Feature<Polygon | MultiPolygon, StateProperties> {
  return shape.geometry.type === 'Polygon' || shape.geometry.type === 'MultiPolygon';
}
