import { useEffect, useRef } from 'react';
import { Popup, type PopupProps, useMap } from 'react-map-gl/maplibre';
import type { ProviderMapProps, PinChoice } from './mapTypes.ts';

type Props = Pick<ProviderMapProps, 'pins' | 'areas' | 'chosen' | 'onChoose' | 'renderPopup'> & {
  zoomMin: number;
};

const above: [number, number] = [0, -34];
const below: [number, number] = [0, 6];
/** Clear of the pin, whichever side the popup finds room on. */
const popupOffset: NonNullable<PopupProps['offset']> = {
  bottom: above,
  'bottom-left': above,
  'bottom-right': above,
  top: below,
  'top-left': below,
  'top-right': below,
  left: [16, -18],
  right: [-16, -18],
  center: [0, 0],
};

/** Over the middle of a circle. */
const areaOffset = 8;
/** So that it fits the map of a narrow card. */
const areaPopupWidth = '15rem';

/** The popup over the chosen pin or area. One chosen on the page is moved into view first. The focus does not move. */
export function ChosenPin({ pins, areas, chosen, onChoose, renderPopup, zoomMin }: Props) {
  const { current: map } = useMap();
  const area = chosen === null ? undefined : areas?.find(({ id }) => id === chosen.id);
  const pin = area ?? (chosen === null ? undefined : pins.find(({ id }) => id === chosen.id));
  const flownTo = useRef<PinChoice | null>(null);
  useEffect(() => {
    if (map === undefined || chosen?.from !== 'page' || pin === undefined) return;
    // A changed minimum zoom, as after failed street tiles, must not move the map again.
    if (flownTo.current === chosen) return;
    flownTo.current = chosen;
    map.flyTo({
      center: [pin.longitude, pin.latitude],
      zoom: Math.max(map.getZoom(), zoomMin),
      // Below the middle, because the popup is above the pin.
      offset: [0, map.getContainer().clientHeight / 5],
    });
  }, [map, chosen, pin, zoomMin]);
  if (chosen === null || pin === undefined) return null;
  return (
    <Popup
      key={pin.id}
      longitude={pin.longitude}
      latitude={pin.latitude}
      offset={area === undefined ? popupOffset : areaOffset}
      maxWidth={area === undefined ? '17.5rem' : areaPopupWidth}
      closeOnClick={false}
      focusAfterOpen={chosen.from === 'map'}
      onClose={() => onChoose(null)}
    >
      {renderPopup(pin.id)}
    </Popup>
  );
}
