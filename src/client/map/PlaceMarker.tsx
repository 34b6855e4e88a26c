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
  box-shadow: 0 1px 4px rgb(0 0 0 / 0.3);
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
  box-shadow: 0 1px 4px rgb(0 0 0 / 0.2);
`;
