import { Marker } from 'react-map-gl/maplibre';
import { styled } from 'styled-components';
import { token } from '../theme/tokens.ts';
import type { MapPlace } from './mapTypes.ts';

/** Blue for every brand: the color that people know for "you are here". */
export const placeBlue = '#1a66d6';

/** A dot with its name: where the visitor is, or the ZIP code they gave. */
export function PlaceMarker({ place }: { place: MapPlace }) {
  return (
    <Marker longitude={place.longitude} latitude={place.latitude} anchor="top" offset={[0, -9]}>
      <Spot>
        <Dot />
        <Label>{place.label}</Label>
      </Spot>
    </Marker>
  );
}

const Spot = styled.div`
  display: grid;
  justify-items: center;
  gap: 0.25rem;
  pointer-events: none;
`;

export const Dot = styled.span`
  display: block;
  inline-size: 18px;
  block-size: 18px;
  border: 3px solid #ffffff;
  border-radius: ${token.pill};
  background: ${placeBlue};
  box-shadow:
    0 0 0 1px ${placeBlue},
    0 2px 8px rgb(0 0 0 / 0.35);
`;

const Label = styled.span`
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
