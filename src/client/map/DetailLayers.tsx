import { useEffect, useMemo, useState } from 'react';
import type { ExpressionSpecification } from 'maplibre-gl';
import { Layer, Source, useMap } from 'react-map-gl/maplibre';
import { debugLog } from '../browser/log.ts';
import { mapColors, tint, bordersLayerId, mapFont, namesLayerId } from './mapStyle.ts';
import type { FeatureCollection, MultiLineString, Point } from 'geojson';
import { feature } from 'topojson-client';
import type { MultiLineString as Arcs, Topology } from 'topojson-specification';
import detailUrl from './basemapDetail.json?url';

/** How much nearer there is room for the counties' names. */
const namesNearer = 2;

/** A town is shown if it has so many ZIP codes: fewer as the map comes nearer. Steps at whole zooms. */
const zipCodesShown: ExpressionSpecification = ['step', ['zoom'], 20, 6, 6, 7, 2, 8, 1];

/** Borders and names of counties, and towns, from `zoomMin` on (the map's own count). Loaded on demand. */
export function DetailLayers({ zoomMin }: { zoomMin: number }) {
  const detail = useDetail(zoomMin);
  const colors = useMemo(
    () => (detail === null ? null : { ...mapColors(), line: tint(15), county: tint(70) }),
    [detail],
  );
  if (detail === null || colors === null) return null;
  const halo = { 'text-halo-color': colors.halo, 'text-halo-width': 1.4 };
  return (
    <Source id="detail" type="geojson" data={detail}>
      <Layer
        id="county-borders"
        type="line"
        beforeId={bordersLayerId}
        minzoom={zoomMin}
        filter={ofKind('borders')}
        paint={{ 'line-color': colors.line, 'line-width': 1 }}
      />
      <Layer
        id="county-names"
        type="symbol"
        beforeId={namesLayerId}
        minzoom={zoomMin + namesNearer}
        filter={ofKind('county')}
        layout={{
          'text-field': ['get', 'name'],
          'text-font': mapFont,
          'text-size': 10.5,
          'text-transform': 'uppercase',
          'text-letter-spacing': 0.08,
          'text-max-width': 8,
          'text-padding': 6,
        }}
        paint={{ 'text-color': colors.county, ...halo }}
      />
      <Layer
        id="towns"
        type="symbol"
        beforeId={namesLayerId}
        minzoom={zoomMin}
        filter={['all', ofKind('town'), ['>=', ['get', 'zipCodes'], zipCodesShown]]}
        layout={{
          // A dot at the town, its name below: the drop of a pin there is above.
          'text-field': ['format', '•', {}, '\n', {}, ['get', 'name'], {}],
          'text-font': mapFont,
          'text-size': 12.5,
          'text-line-height': 0.9,
          'text-anchor': 'top',
          'text-offset': [0, -0.55],
          'text-max-width': 8,
          'text-padding': 4,
          'symbol-sort-key': ['-', ['get', 'zipCodes']],
        }}
        paint={{ 'text-color': colors.name, ...halo }}
      />
    </Source>
  );
}

type DetailKind = 'borders' | 'county' | 'town';

function ofKind(kind: DetailKind): ExpressionSpecification {
  return ['==', ['get', 'kind'], kind];
}

/** Null until the map is zoomed in and it is loaded. After a failure, the next zoom tries again. */
function useDetail(zoomMin: number): Detail | null {
  const { current: map } = useMap();
  const [detail, setDetail] = useState<Detail | null>(null);
  const isLoaded = detail !== null;
  useEffect(() => {
    if (map === undefined || isLoaded) return undefined;
    let isWanted = true;
    const load = async (): Promise<void> => {
      if (map.getZoom() < zoomMin) return;
      try {
        const loaded = await loadDetail();
        if (isWanted) setDetail(loaded);
      } catch (error) {
        debugLog('No map detail:', error);
      }
    };
    const onZoomEnd = (): void => void load();
    void load();
    map.on('zoomend', onZoomEnd);
    return () => {
      isWanted = false;
      map.off('zoomend', onZoomEnd);
    };
  }, [map, zoomMin, isLoaded]);
  return detail;
}

interface DetailProperties {
  kind: DetailKind;
  name?: string;
  /** Of a town. */
  zipCodes?: number;
}

/** From our own origin (scripts/buildBasemap.ts). */
type Detail = FeatureCollection<MultiLineString | Point, DetailProperties>;

type DetailFile = Topology<{ borders: Arcs }> & {
  names: [name: string, longitude: number, latitude: number][];
  towns: [name: string, longitude: number, latitude: number, zipCodes: number][];
};

let loaded: Promise<Detail> | null = null;

/** Fetched once for all maps. After a failure, the next caller fetches it again. */
async function loadDetail(): Promise<Detail> {
  loaded ??= fetchDetail();
  try {
    return await loaded;
  } catch (error) {
    loaded = null;
    throw error;
  }
}

async function fetchDetail(): Promise<Detail> {
  const response = await fetch(detailUrl);
  if (!response.ok) throw new Error(`The map's detail was answered ${response.status}`);
  const { names, towns, ...topology }: DetailFile = await response.json();
  const { geometry } = feature<object>(topology, topology.objects.borders);
  const placed = (coordinates: [number, number], properties: DetailProperties) => ({
    type: 'Feature' as const,
    geometry: { type: 'Point' as const, coordinates },
    properties,
  });
  return {
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', geometry, properties: { kind: 'borders' } },
      ...names.map(([name, ...at]) => placed(at, { kind: 'county', name })),
      ...towns.map(([name, longitude, latitude, zipCodes]) =>
        placed([longitude, latitude], { kind: 'town', name, zipCodes }),
      ),
    ],
  };
}
