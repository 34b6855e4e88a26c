import type { FeatureCollection, Point } from 'geojson';
import { useMemo } from 'react';
import { Layer, Source } from 'react-map-gl/maplibre';
import { resolveColor } from './mapColors.ts';
import { boldMapFont } from './mapStyle.ts';
import type { MapPin, PinGroup } from './mapTypes.ts';

/** Pins nearer than this many pixels to one another become one. */
const clusterRadius = 46;
/** Beyond it every clinic has its own pin, as the map can be brought no nearer to tell them apart. */
const clusterZoomMax = 10;

export const clusterLayerId = (group: string): string => `clusters-${group}`;
export const pinLayerId = (group: string): string => `pins-${group}`;
export const pinImageId = (group: string): string => `pin-${group}`;
export const pinSourceId = (group: string): string => `clinics-${group}`;

interface PinLayersProps {
  group: PinGroup;
  pins: readonly MapPin[];
  clusters: boolean;
}

/** The pins of one group and the circles that stand for several of them. */
export function PinLayers({ group: { key, color, isShown = true }, pins, clusters }: PinLayersProps) {
  const data = useMemo(() => toFeatures(pins), [pins]);
  const circleColor = useMemo(() => resolveColor(color), [color]);
  const visibility = isShown ? 'visible' : 'none';
  return (
    <Source
      id={pinSourceId(key)}
      type="geojson"
      data={data}
      cluster={clusters}
      clusterRadius={clusterRadius}
      clusterMaxZoom={clusterZoomMax}
    >
      <Layer
        id={pinLayerId(key)}
        type="symbol"
        filter={['!', ['has', 'point_count']]}
        layout={{
          visibility,
          'icon-image': pinImageId(key),
          'icon-anchor': 'bottom',
          'icon-allow-overlap': true,
          'icon-ignore-placement': true,
        }}
      />
      <Layer
        id={clusterLayerId(key)}
        type="circle"
        filter={['has', 'point_count']}
        layout={{ visibility }}
        paint={{
          'circle-color': circleColor,
          'circle-radius': ['step', ['get', 'point_count'], 17, 10, 20, 100, 24, 1000, 29],
          'circle-stroke-color': '#ffffff',
          'circle-stroke-width': 2,
        }}
      />
      <Layer
        id={`${clusterLayerId(key)}-count`}
        type="symbol"
        filter={['has', 'point_count']}
        layout={{
          visibility,
          'text-field': ['get', 'point_count_abbreviated'],
          'text-font': boldMapFont,
          'text-size': 13,
          'text-allow-overlap': true,
          'text-ignore-placement': true,
        }}
        paint={{ 'text-color': '#ffffff' }}
      />
    </Source>
  );
}

function toFeatures(pins: readonly MapPin[]): FeatureCollection<Point, { id: number }> {
  return {
    type: 'FeatureCollection',
    features: pins.map(({ id, longitude, latitude }) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
      properties: { id },
    })),
  };
}
