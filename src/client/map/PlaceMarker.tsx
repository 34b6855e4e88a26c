import type { Feature } from 'geojson';
import { useMemo } from 'react';
import { Layer, Marker, Source } from 'react-map-gl/maplibre';
import { styled } from 'styled-components';
import { token } from '../theme/tokens.ts';
import type { MapPlace } from './mapTypes.ts';

/** Blue for every brand: the color that people know for "you are here". */
const placeBlue = '#1a66d6';
const placeSourceId = 'place';
/** In pixels. The halo is wider than most circles of clusters, and the label is below it. */
const haloRadius = 26;

/**
 * A dot with a halo and a name: where the visitor is, or the ZIP code they gave. The dot is below the pins, so that it
 * covers no provider.
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
        <Layer
          id={placeSourceId}
          type="circle"
          beforeId={pinsLayerId}
          paint={{
            'circle-color': placeBlue,
            'circle-radius': 7,
            'circle-stroke-color': '#ffffff',
            'circle-stroke-width': 3,
          }}
        />
      </Source>
      <Marker longitude={longitude} latitude={latitude} anchor="top" offset={[0, haloRadius - 2]}>
        <Label>{label}</Label>
      </Marker>
    </>
  );
}

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
  box-shadow: 0 1px 4px rgb(0 0 0 / 0.2);
  pointer-events: none;
`;
