import type { FeatureCollection, Point } from 'geojson';
import { useMemo } from 'react';
import { Layer, Source } from 'react-map-gl/maplibre';
import { resolveColor } from './mapColors.ts';
import { boldMapFont } from './mapStyle.ts';
import type { MapArea } from './mapTypes.ts';

export const areaLayerId = 'areas';

/** In pixels. The largest count's circle, and the least that can still be pressed. */
const radius = { max: 34, min: 8 };

/** One circle per area with a surface in proportion to its count, smaller ones on top, the count inside if it fits. */
export function AreaCircles({ areas }: { areas: readonly MapArea[] }) {
  const data = useMemo(() => toFeatures(areas), [areas]);
  const colors = useMemo(
    () => ({ fill: resolveColor('var(--secondary)'), text: resolveColor('var(--primary)') }),
    [],
  );
  return (
    <Source id="areas" type="geojson" data={data}>
      <Layer
        id={areaLayerId}
        type="circle"
        layout={{ 'circle-sort-key': ['-', ['get', 'count']] }}
        paint={{
          'circle-radius': ['get', 'radius'],
          'circle-color': colors.fill,
          'circle-opacity': 0.24,
          'circle-stroke-color': colors.fill,
          'circle-stroke-width': 1.5,
        }}
      />
      <Layer
        id={`${areaLayerId}-count`}
        type="symbol"
        layout={{
          'symbol-sort-key': ['-', ['get', 'count']],
          'text-field': ['get', 'label'],
          'text-font': boldMapFont,
          'text-size': 12,
          'text-padding': 1,
        }}
        paint={{ 'text-color': colors.text, 'text-halo-color': 'rgb(255,255,255)', 'text-halo-width': 1.2 }}
      />
    </Source>
  );
}

interface AreaProperties {
  id: number;
  count: number;
  radius: number;
  label: string;
}

function toFeatures(areas: readonly MapArea[]): FeatureCollection<Point, AreaProperties> {
  const most = Math.max(1, ...areas.map(({ count }) => count));
  return {
    type: 'FeatureCollection',
    features: areas.map(({ id, longitude, latitude, count }) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
      properties: {
        id,
        count,
        radius: Math.max(radius.min, radius.max * Math.sqrt(count / most)),
        label: count.toLocaleString('en-US'),
      },
    })),
  };
}
