import type { StyleSpecification } from 'maplibre-gl';
import type { Basemap } from './basemap.ts';
import type { MapColours } from './mapColours.ts';

/**
 * The page's own font, which the map draws its letters with: without a `glyphs` address MapLibre asks no server for any. It reads the weight
 * out of the first name and looks for a font by each in turn; none is called by a weight alone.
 */
export const mapFont = ['Medium', 'Figtree Variable'];
export const boldMapFont = ['Bold', 'Figtree Variable'];

/** Layer that street tiles go under. */
export const namesLayerId = 'state-names';

/** From here on there is room for every state's full name. */
const fullNamesZoom = 4.2;

/** The ground: states, their borders and names in the brand's tints. */
export function mapStyle({ land, coast, borders, names }: Basemap, colours: MapColours): StyleSpecification {
  return {
    version: 8,
    sources: {
      land: { type: 'geojson', data: land, tolerance: 0.2 },
      borders: { type: 'geojson', data: borders, tolerance: 0.2 },
      coast: { type: 'geojson', data: coast, tolerance: 0.2 },
      names: { type: 'geojson', data: names },
    },
    layers: [
      { id: 'ground', type: 'background', paint: { 'background-color': colours.ground } },
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': colours.land } },
      {
        id: 'borders',
        type: 'line',
        source: 'borders',
        paint: { 'line-color': colours.border, 'line-width': 1 },
      },
      {
        id: 'coast',
        type: 'line',
        source: 'coast',
        paint: { 'line-color': colours.coast, 'line-width': 1.2 },
      },
      {
        id: namesLayerId,
        type: 'symbol',
        source: 'names',
        layout: {
          'text-field': ['step', ['zoom'], ['get', 'short'], fullNamesZoom, ['get', 'name']],
          'text-font': mapFont,
          'text-size': ['interpolate', ['linear'], ['zoom'], 2.5, 10.5, 6, 15],
          'text-max-width': 7,
          'text-padding': 3,
        },
        paint: { 'text-color': colours.name, 'text-halo-color': colours.halo, 'text-halo-width': 1.4 },
      },
    ],
  };
}
