import type { FilterSpecification, StyleSpecification, SymbolLayerSpecification } from 'maplibre-gl';
import type { Basemap, BasemapKind } from './basemap.ts';

/**
 * The page's own font, with which the browser draws the labels: without a `glyphs` URL, MapLibre sends no request for
 * glyphs. It reads the weight from the first name and tries each name in turn; no font is named by a weight only.
 */
export const mapFont = ['Medium', 'Figtree Variable'];
export const boldMapFont = ['Bold', 'Figtree Variable'];

/** The lowest layer of the states' names. Street tiles go under it. */
export const namesLayerId = 'lines-beside';
/** All of them. Street tiles have names of their own. */
export const namesLayerIds = [namesLayerId, 'names-beside', 'small-state-names', 'state-names'];

/** Layer that the finer lines between counties go under. */
export const bordersLayerId = 'borders';

/** From here on there is room for every state's full name, and from the second on in the small states, too. */
const fullNamesZoom = 4.2;
const smallNamesZoom = 5.5;

const source = 'ground';

/** How far a tile extends past its edge, in pixels. The default of 128 would double each tile's work. */
const basemapBuffer = 16;

function ofKind(kind: BasemapKind): FilterSpecification {
  return ['==', ['get', 'kind'], kind];
}

/** How all names are drawn. */
const nameLayout: NonNullable<SymbolLayerSpecification['layout']> = {
  visibility: 'visible',
  'text-font': mapFont,
  'text-size': ['interpolate', ['linear'], ['zoom'], 2.5, 10.5, 6, 15],
  'text-max-width': 7,
  'text-padding': 3,
};

/** The states, their borders and names in the brand's tints. Around them, the page's background shows. */
export function mapStyle(basemap: Basemap, colors: ReturnType<typeof mapColors>): StyleSpecification {
  const namePaint = { 'text-color': colors.name, 'text-halo-color': colors.halo, 'text-halo-width': 1.4 };
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
        type: 'line',
        source,
        maxzoom: smallNamesZoom,
        filter: ofKind('lineBeside'),
        layout: { visibility: 'visible' },
        paint: { 'line-color': colors.coast, 'line-width': 1 },
      },
      {
        id: 'names-beside',
        type: 'symbol',
        source,
        maxzoom: smallNamesZoom,
        filter: ofKind('nameBeside'),
        layout: {
          ...nameLayout,
          'text-field': ['get', 'short'],
          'text-anchor': 'left',
          'text-offset': [0.25, 0],
        },
        paint: namePaint,
      },
      {
        id: 'small-state-names',
        type: 'symbol',
        source,
        minzoom: smallNamesZoom,
        filter: ofKind('smallName'),
        layout: { ...nameLayout, 'text-field': ['get', 'name'] },
        paint: namePaint,
      },
      {
        id: 'state-names',
        type: 'symbol',
        source,
        filter: ofKind('name'),
        layout: {
          ...nameLayout,
          'text-field': ['step', ['zoom'], ['get', 'short'], fullNamesZoom, ['get', 'name']],
        },
        paint: namePaint,
      },
    ],
  };
}

/** Resolves a CSS color, with custom properties and mixes, to `rgb()`. */
export function resolveColor(color: string): string {
  const probe = document.createElement('i');
  probe.style.color = color;
  document.body.append(probe);
  const computed = getComputedStyle(probe).color;
  probe.remove();
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext('2d');
  if (context === null) return computed;
  context.fillStyle = computed;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return `rgb(${red},${green},${blue})`;
}

/** The basemap's tones: the share of the secondary color in white. */
export function tint(percent: number): string {
  return resolveColor(`color-mix(in srgb, var(--secondary) ${percent}%, #ffffff)`);
}

/** The page's colors in the format of the map's shaders, with the provider's hue (theme/tokens.ts). */
export function mapColors() {
  return {
    land: tint(2),
    border: tint(26),
    coast: tint(42),
    name: resolveColor('color-mix(in srgb, var(--primary) 72%, #ffffff)'),
    halo: tint(2),
  };
}
