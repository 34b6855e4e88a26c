import type { FilterSpecification, StyleSpecification } from 'maplibre-gl';
import type { Basemap, BasemapKind } from './basemap.ts';
import type { MapColors } from './mapColors.ts';

/**
 * The page's own font, with which the browser draws the labels: without a `glyphs` URL, MapLibre sends no request for
 * glyphs. It reads the weight from the first name and tries each name in turn; no font is named by a weight only.
 */
export const mapFont = ['Medium', 'Figtree Variable'];
export const boldMapFont = ['Bold', 'Figtree Variable'];

/** Layer that street tiles go under. */
export const namesLayerId = 'state-names';

/** Layer that the finer lines between counties go under. */
export const bordersLayerId = 'borders';

/** From here on there is room for every state's full name. */
const fullNamesZoom = 4.2;

const source = 'ground';

/**
 * In pixels, how far a tile extends past its edge. No line is wider, and the default of 128 would double each tile's
 * work.
 */
const basemapBuffer = 16;

function ofKind(kind: BasemapKind): FilterSpecification {
  return ['==', ['get', 'kind'], kind];
}

/**
 * The states, their borders and names in the brand's tints. What is around them is the page's own background, which
 * costs the map nothing.
 */
export function mapStyle(basemap: Basemap, colors: MapColors): StyleSpecification {
  return {
    version: 8,
    sources: { [source]: { type: 'geojson', data: basemap, buffer: basemapBuffer } },
    layers: [
      {
        id: 'land',
        type: 'fill',
        source,
        filter: ofKind('land'),
        // The lines of coasts and borders cover the edges.
        paint: { 'fill-color': colors.land, 'fill-antialias': false },
      },
      {
        id: bordersLayerId,
        type: 'line',
        source,
        filter: ofKind('border'),
        paint: { 'line-color': colors.border, 'line-width': 1 },
      },
      {
        id: 'coast',
        type: 'line',
        source,
        filter: ofKind('land'),
        paint: { 'line-color': colors.coast, 'line-width': 1.2 },
      },
      {
        id: namesLayerId,
        type: 'symbol',
        source,
        filter: ofKind('name'),
        layout: {
          visibility: 'visible',
          'text-field': ['step', ['zoom'], ['get', 'short'], fullNamesZoom, ['get', 'name']],
          'text-font': mapFont,
          'text-size': ['interpolate', ['linear'], ['zoom'], 2.5, 10.5, 6, 15],
          'text-max-width': 7,
          'text-padding': 3,
        },
        paint: { 'text-color': colors.name, 'text-halo-color': colors.halo, 'text-halo-width': 1.4 },
      },
    ],
  };
}
