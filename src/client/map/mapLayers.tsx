import type { FeatureCollection, Point, Feature } from 'geojson';
import { useMemo, useEffect, useState } from 'react';
import { Layer, Source, Marker, type MapRef } from 'react-map-gl/maplibre';
import { resolveColor, boldMapFont, namesLayerId } from './mapStyle.ts';
import type { MapArea, MapPlace } from './mapTypes.ts';
import { styled } from 'styled-components';
import { token, media } from '../theme/tokens.ts';
import { mapCopy } from '#shared/brand/map.ts';

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

function toFeatures(areas: readonly MapArea[]): FeatureCollection<Point> {
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

/** Blue for every brand: the color that people know for "you are here". */
const placeBlue = '#1a66d6';
const placeSourceId = 'place';
/** In pixels. The halo is wider than most circles of clusters, and the label is below it. */
const haloRadius = 26;
/** In pixels, from the place to its label. */
const labelDistance = haloRadius - 2;

/**
 * A dot with a halo and a name: where the visitor is, or the ZIP code they gave. The halo is below the pins. Dot and
 * name are elements above the canvas, so that no pin and no circle covers them.
 */
export function PlaceMarker({ place, pinsLayerId }: { place: MapPlace; pinsLayerId: string }) {
  const { longitude, latitude, label } = place;
  const data = useMemo(
    (): Feature => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
      properties: {},
    }),
    [longitude, latitude],
  );
  return (
    <>
      <Source id={placeSourceId} type="geojson" data={data}>
        <Layer
          id={`${placeSourceId}-halo`}
          type="circle"
          beforeId={pinsLayerId}
          paint={{ 'circle-color': placeBlue, 'circle-radius': haloRadius, 'circle-opacity': 0.18 }}
        />
      </Source>
      <Marker
        longitude={longitude}
        latitude={latitude}
        anchor="top"
        offset={[0, labelDistance]}
        style={letsPressesThrough}
      >
        <Dot data-place />
        <Label>{label}</Label>
      </Marker>
    </>
  );
}

/** To the pins below it. */
const letsPressesThrough = { pointerEvents: 'none' } as const;

/** Its middle is the place. */
const Dot = styled.span`
  position: absolute;
  inset-block-start: ${-labelDistance - 10}px;
  inset-inline-start: calc(50% - 10px);
  inline-size: 20px;
  block-size: 20px;
  border: 3px solid #ffffff;
  border-radius: ${token.pill};
  background: ${placeBlue};
  outline: 1px solid ${placeBlue};
  forced-color-adjust: none;
`;

const Label = styled.span`
  display: block;
  padding: 0.125rem 0.5rem;
  border-radius: ${token.pill};
  background: #ffffff;
  color: ${placeBlue};
  font-size: 0.8125rem;
  font-weight: 600;
  line-height: 1.3;
  white-space: nowrap;
  border: 1px solid ${token.line};
`;

const tilesSourceId = 'streets';
const tilesZoomMax = 19;
/** A lone tile may be missing; so many in a row, and the server is away. */
const failuresMax = 3;

/** Street tiles over the ground, under the names. Some ground shines through, to keep the brand's tint. */
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

/** Fills its frame and sets MapLibre's own controls and popups in the page's look. */
export const MapSheet = styled.div<{ $isHidden: boolean }>`
  /* Nobody sees it being built; a browser without a graphics card would copy every step of it to the screen. */
  visibility: ${({ $isHidden }) => ($isHidden ? 'hidden' : 'inherit')};

  position: absolute;
  inset: 0;

  & .maplibregl-map {
    font: inherit;
  }

  & .maplibregl-ctrl-group:not(:empty) {
    border: 1px solid ${token.line};
    box-shadow: none;
    border-radius: ${token.radius};
    overflow: hidden;
  }

  & .maplibregl-ctrl-group button {
    inline-size: 2.75rem;
    block-size: 2.75rem;
  }

  & .maplibregl-ctrl-attrib {
    padding: 0.125rem 0.5rem;
    /* A place's name at the edge must not show through. */
    background: #ffffff;
    color: ${token.muted};
    font-size: 0.75rem;
    line-height: 1.5;
  }

  & .maplibregl-ctrl-attrib a {
    color: ${token.muted};
    text-decoration: underline;
  }

  /* Above the zoom buttons and the attribution. */
  & .maplibregl-popup {
    z-index: 3;
  }

  & .maplibregl-popup-content {
    padding: 0.75rem 2.25rem 0.75rem 0.75rem;
    border-radius: ${token.radius};
    border: 1px solid ${token.line};
    box-shadow: none;
    color: ${token.foreground};
    font: inherit;
    font-size: 0.9375rem;
    line-height: 1.45;

    ${media.tablet} {
      padding: 1rem 2.5rem 1rem 1rem;
    }
  }

  & .maplibregl-popup-close-button {
    inset: 0.25rem 0.25rem auto auto;
    inline-size: 2.25rem;
    block-size: 2.25rem;
    border-radius: ${token.pill};
    color: ${token.muted};
    font-size: 1.375rem;

    ${media.touch} {
      inset: 0;
      inset-inline-start: auto;
      inline-size: 2.75rem;
      block-size: 2.75rem;
    }
  }

  & .maplibregl-cooperative-gesture-screen {
    background: color-mix(in srgb, ${token.primary} 82%, transparent);
    font-size: 1.125rem;
    font-weight: 600;
    text-align: center;
  }

  & :is(canvas, .maplibregl-ctrl button):focus-visible {
    outline: 3px solid var(--focus);
    outline-offset: -3px;
    box-shadow: none;
  }
`;
