import type { FeatureCollection, Point } from 'geojson';
import { useMemo } from 'react';
import { Layer, type MapRef, Source } from 'react-map-gl/maplibre';
import type { GeoPoint } from '#shared/leads/geo.ts';
import { resolveColor, boldMapFont } from './mapStyle.ts';
import type { MapBox, MapPin, PinCluster, PinGroup } from './mapTypes.ts';

/** In pixels. Pins closer to one another form a cluster. */
const clusterRadius = 46;
/** MapLibre's last whole zoom with clusters. Street maps count one more: from their 8, each provider has a pin. */
const clusterZoomMax = 6;

export const clusterLayerId = (group: string): string => `clusters-${group}`;
export const pinLayerId = (group: string): string => `pins-${group}`;
/** Of the chosen pin, which is above all others. */
export const chosenPinLayerId = 'chosen-pin';
const pinImageId = (group: string): string => `pin-${group}`;
export const pinSourceId = (group: string): string => `clinics-${group}`;

const pinLayout = {
  'icon-anchor': 'bottom',
  'icon-allow-overlap': true,
  'icon-ignore-placement': true,
} as const;

/** A drop of 28 by 36 px. Its point is the place. */
const pinWidth = 28;
const pinHeight = 36;
const pinShape = 'M14 35C14 35 26 22.5 26 13.6C26 7.2 20.6 2 14 2C7.4 2 2 7.2 2 13.6C2 22.5 14 35 14 35Z';
/** Sharp on any screen. */
const pinPixelRatio = 3;

interface PinLayersProps {
  /** Of the source and the layers. By default the group's key. */
  id?: string;
  group: PinGroup;
  pins: readonly MapPin[];
  clusters: boolean;
  /** Clusters that the page made, in addition to the pins. */
  counted?: readonly PinCluster[];
}

const noClusters: readonly PinCluster[] = [];

/** The pins of one group and the circles of its clusters. */
export function PinLayers({
  group: { key, color, isShown = true },
  id = key,
  pins,
  clusters,
  counted = noClusters,
}: PinLayersProps) {
  const data = useMemo(() => toFeatures(pins, counted), [pins, counted]);
  const circleColor = useMemo(() => resolveColor(color), [color]);
  const visibility = isShown ? 'visible' : 'none';
  return (
    <Source
      id={pinSourceId(id)}
      type="geojson"
      data={data}
      cluster={clusters}
      clusterRadius={clusterRadius}
      clusterMaxZoom={clusterZoomMax}
    >
      <Layer
        id={pinLayerId(id)}
        type="symbol"
        filter={['!', ['has', 'point_count']]}
        layout={{ ...pinLayout, visibility, 'icon-image': pinImageId(key) }}
      />
      <Layer
        id={clusterLayerId(id)}
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
        id={`${clusterLayerId(id)}-count`}
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

/** The chosen pin. It has a source of its own, so that no cluster contains it. */
export function ChosenPinLayer({ pin }: { pin: MapPin }) {
  const data = useMemo(() => toFeatures([pin], noClusters), [pin]);
  return (
    <Source id={chosenPinLayerId} type="geojson" data={data}>
      <Layer
        id={chosenPinLayerId}
        type="symbol"
        layout={{ ...pinLayout, 'icon-image': pinImageId(pin.group) }}
      />
    </Source>
  );
}

/** The names are those that MapLibre gives the clusters that it makes itself. */
interface ClusterProperties extends MapBox {
  point_count: number;
  point_count_abbreviated: string;
}

const shortCount = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 2 });

function toFeatures(
  pins: readonly MapPin[],
  counted: readonly PinCluster[],
): FeatureCollection<Point, { id: number } | ClusterProperties> {
  const placed = <Properties,>({ longitude, latitude }: GeoPoint, properties: Properties) => ({
    type: 'Feature' as const,
    geometry: { type: 'Point' as const, coordinates: [longitude, latitude] },
    properties,
  });
  return {
    type: 'FeatureCollection',
    features: [
      ...pins.map((pin) => placed(pin, { id: pin.id })),
      ...counted.map((cluster) => {
        const { count, west, south, east, north } = cluster;
        const label = count < 1_000 ? String(count) : shortCount.format(count).toLowerCase();
        const box = { west, south, east, north };
        return placed(cluster, { point_count: count, point_count_abbreviated: label, ...box });
      }),
    ],
  };
}

/** Draws the pin of each group that has none yet. */
export function addPinImages(map: ReturnType<MapRef['getMap']>, groups: readonly PinGroup[]): void {
  for (const { key, color } of groups) {
    if (map.hasImage(pinImageId(key))) continue;
    const image = renderPin(color);
    if (image !== null) map.addImage(pinImageId(key), image, { pixelRatio: pinPixelRatio });
  }
}

/** The drop in one color, with a white rim and eye. Null if the browser can't draw. */
function renderPin(color: string): ImageData | null {
  const canvas = document.createElement('canvas');
  canvas.width = pinWidth * pinPixelRatio;
  canvas.height = pinHeight * pinPixelRatio;
  const context = canvas.getContext('2d');
  if (context === null) return null;
  context.scale(pinPixelRatio, pinPixelRatio);
  const shape = new Path2D(pinShape);
  context.fillStyle = resolveColor(color);
  context.fill(shape);
  context.strokeStyle = '#ffffff';
  context.lineWidth = 1.6;
  context.stroke(shape);
  context.fillStyle = '#ffffff';
  context.beginPath();
  context.arc(14, 13.6, 4.4, 0, 2 * Math.PI);
  context.fill();
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
