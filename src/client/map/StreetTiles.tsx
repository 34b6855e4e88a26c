import { useEffect, useState } from 'react';
import type { MapRef } from 'react-map-gl/maplibre';
import { Layer, Source } from 'react-map-gl/maplibre';
import { mapCopy } from '#shared/brand/map.ts';
import { namesLayerId } from './mapStyle.ts';

const tilesSourceId = 'streets';
const tilesZoomMax = 19;
/** A lone tile may be missing; so many in a row, and the server is away. */
const failuresMax = 3;

/**
 * Street tiles over the ground, under the names. A little of the ground shines through, so that they keep the brand's
 * tint.
 */
export function StreetTiles({ url }: { url: string }) {
  return (
    <Source
      id={tilesSourceId}
      type="raster"
      tiles={[url]}
      tileSize={256}
      maxzoom={tilesZoomMax}
      attribution={mapCopy.tilesAttribution}
    >
      <Layer
        id={tilesSourceId}
        type="raster"
        beforeId={namesLayerId}
        paint={{ 'raster-opacity': 0.82, 'raster-saturation': -0.45, 'raster-fade-duration': 200 }}
      />
    </Source>
  );
}

type TilesState = 'waiting' | 'shown' | 'failed';

/** How the tiles fare, by the map's own events. */
export function useTilesState(map: MapRef | null): TilesState {
  const [state, setState] = useState<TilesState>('waiting');
  useEffect(() => {
    if (map === null) return undefined;
    let failures = 0;
    const onError = (event: object): void => {
      if (Reflect.get(event, 'sourceId') !== tilesSourceId) return;
      failures += 1;
      if (failures >= failuresMax) setState('failed');
    };
    const onData = (event: object): void => {
      const tile: unknown = Reflect.get(event, 'tile');
      if (Reflect.get(event, 'sourceId') !== tilesSourceId || typeof tile !== 'object' || tile === null)
        return;
      if (Reflect.get(tile, 'state') !== 'loaded') return;
      failures = 0;
      setState('shown');
    };
    map.on('error', onError);
    map.on('sourcedata', onData);
    return () => {
      map.off('error', onError);
      map.off('sourcedata', onData);
    };
  }, [map]);
  return state;
}
