import { useEffect, useMemo, useState } from 'react';
import { Layer, Source, useMap } from 'react-map-gl/maplibre';
import { debugLog } from '../browser/log.ts';
import { mapColors, tint, bordersLayerId, mapFont, namesLayerId } from './mapStyle.ts';
import type { FeatureCollection, MultiLineString, Point } from 'geojson';
import { feature } from 'topojson-client';
import type { MultiLineString as Arcs, Topology } from 'topojson-specification';
import countyLinesUrl from './countyLines.json?url';

/** How much nearer there is room for their names. */
const namesNearer = 1.5;

/** County borders and names, from `zoomMin` on (the map's own count). Loaded on demand. */
export function CountyLayers({ zoomMin }: { zoomMin: number }) {
  const lines = useCountyLines(zoomMin);
  const colors = useMemo(() => (lines === null ? null : { ...mapColors(), line: tint(15) }), [lines]);
  if (lines === null || colors === null) return null;
  return (
    <Source id="counties" type="geojson" data={lines}>
      <Layer
        id="county-borders"
        type="line"
        beforeId={bordersLayerId}
        minzoom={zoomMin}
        filter={['!', ['has', 'name']]}
        paint={{ 'line-color': colors.line, 'line-width': 1 }}
      />
      <Layer
        id="county-names"
        type="symbol"
        beforeId={namesLayerId}
        minzoom={zoomMin + namesNearer}
        filter={['has', 'name']}
        layout={{
          'text-field': ['get', 'name'],
          'text-font': mapFont,
          'text-size': 12,
          'text-max-width': 7,
          'text-padding': 6,
        }}
        paint={{ 'text-color': colors.name, 'text-halo-color': colors.halo, 'text-halo-width': 1.4 }}
      />
    </Source>
  );
}

/** Null until the map is zoomed in and they are loaded. After a failure, the next zoom tries again. */
function useCountyLines(zoomMin: number): CountyLines | null {
  const { current: map } = useMap();
  const [lines, setLines] = useState<CountyLines | null>(null);
  const isLoaded = lines !== null;
  useEffect(() => {
    if (map === undefined || isLoaded) return undefined;
    let isWanted = true;
    const load = async (): Promise<void> => {
      if (map.getZoom() < zoomMin) return;
      try {
        const loaded = await loadCountyLines();
        if (isWanted) setLines(loaded);
      } catch (error) {
        debugLog('No counties:', error);
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
  return lines;
}

/** The borders between a state's counties and the counties' names, from our own origin (scripts/buildBasemap.ts). */
type CountyLines = FeatureCollection<MultiLineString | Point, { name?: string }>;

type CountyFile = Topology<{ borders: Arcs }> & {
  names: [name: string, longitude: number, latitude: number][];
};

let loaded: Promise<CountyLines> | null = null;

/** Fetched once for all maps. After a failure, the next caller fetches it again. */
async function loadCountyLines(): Promise<CountyLines> {
  loaded ??= fetchCountyLines();
  try {
    return await loaded;
  } catch (error) {
    loaded = null;
    throw error;
  }
}

async function fetchCountyLines(): Promise<CountyLines> {
  const response = await fetch(countyLinesUrl);
  if (!response.ok) throw new Error(`The counties were answered ${response.status}`);
  const { names, ...topology }: CountyFile = await response.json();
  const { geometry } = feature<object>(topology, topology.objects.borders);
  return {
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', geometry, properties: {} },
      ...names.map(([name, ...coordinates]) => ({
        type: 'Feature' as const,
        geometry: { type: 'Point' as const, coordinates },
        properties: { name },
      })),
    ],
  };
}
