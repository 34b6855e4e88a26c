import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { type MapRef, Popup, type PopupProps, useMap } from 'react-map-gl/maplibre';
import type * as maplibre from 'maplibre-gl';
import { findTopLayer } from '#client/theme/layers.ts';
import type { ProviderMapProps, PinChoice } from './mapTypes.ts';

type Props = Pick<ProviderMapProps, 'pins' | 'areas' | 'chosen' | 'onChoose' | 'renderPopup'> & {
  zoomMin: number;
};

const above: [number, number] = [0, -34];
const below: [number, number] = [0, 6];
const besideOffset = 16;
/** Keeps the popup clear of the pin on either side. */
const popupOffset: NonNullable<PopupProps['offset']> = {
  bottom: above,
  'bottom-left': above,
  'bottom-right': above,
  top: below,
  'top-left': below,
  'top-right': below,
  left: [besideOffset, -18],
  right: [-besideOffset, -18],
  center: [0, 0],
};

/** Over the middle of a circle. */
const areaOffset = 8;
/** On a phone, some of the map stays visible beside it. */
const pinPopupWidth = 'min(17.5rem, 62vw)';
/** So that it fits the map of a narrow card. */
const areaPopupWidth = '15rem';

/** In pixels, from a pin that is moved into view to the map's lower edge: as a rule, and at least. */
const pinMargin = 56;
const pinMarginMin = 12;
/** In pixels, from a popup that is moved into view to the map's edge. */
const popupMargin = 8;

/**
 * The popup over the chosen pin or area. One chosen on the page is moved into view first; one chosen on the map stays,
 * unless its popup is cut off, and gives the popup the focus.
 */
export function ChosenPin({ pins, areas, chosen, onChoose, renderPopup, zoomMin }: Props) {
  const { current: map } = useMap();
  const area = chosen === null ? undefined : areas?.find(({ id }) => id === chosen.id);
  const pin = area ?? (chosen === null ? undefined : pins.find(({ id }) => id === chosen.id));
  const flownTo = useRef<PinChoice | null>(null);
  const popup = useRef<maplibre.Popup>(null);
  useEffect(() => {
    if (map === undefined || chosen?.from !== 'page' || pin === undefined) return;
    // A changed minimum zoom, as after failed street tiles, must not move the map again.
    if (flownTo.current === chosen) return;
    flownTo.current = chosen;
    const mapHeight = map.getContainer().clientHeight;
    map.flyTo({
      center: [pin.longitude, pin.latitude],
      zoom: Math.max(map.getZoom(), zoomMin),
      offset: [0, pinTop(mapHeight, popup.current?.getElement()?.offsetHeight ?? 0) - mapHeight / 2],
    });
  }, [map, chosen, pin, zoomMin]);
  const focused = useRef<PinChoice | null>(null);
  useEffect(() => {
    const shown = popup.current?.getElement();
    if (map === undefined || chosen?.from !== 'map' || pin === undefined || shown === undefined) return;
    if (focused.current === chosen) return;
    focused.current = chosen;
    const { clientWidth: mapWidth, clientHeight: mapHeight } = map.getContainer();
    const { x: pinX, y: pinY } = map.project([pin.longitude, pin.latitude]);
    const beside = pixelsBeside({ pinX, popupWidth: shown.offsetWidth, mapWidth });
    const hidden = pixelsBelow({ pinY, popupHeight: shown.offsetHeight, mapHeight });
    if (beside !== 0 || hidden > 0) map.panBy([beside, hidden]);
    focusFirst(shown);
  }, [map, chosen, pin]);
  useFocusOfOpened(map, popup, { chosen, onClose: () => onChoose(null) });
  if (chosen === null || pin === undefined) return null;
  return (
    <Popup
      key={pin.id}
      ref={popup}
      longitude={pin.longitude}
      latitude={pin.latitude}
      offset={area === undefined ? popupOffset : areaOffset}
      maxWidth={area === undefined ? pinPopupWidth : areaPopupWidth}
      closeOnClick={false}
      focusAfterOpen={false}
      onClose={() => onChoose(null)}
    >
      {renderPopup(pin.id)}
    </Popup>
  );
}

/**
 * Gives the popup the focus if what opened it can't be in view with the map, as in a list below it on a phone. Escape
 * closes it, and returns a focus that it had.
 */
function useFocusOfOpened(
  map: MapRef | undefined,
  popup: RefObject<maplibre.Popup | null>,
  { chosen, onClose }: { chosen: PinChoice | null; onClose: () => void },
): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const shown = popup.current?.getElement();
    if (map === undefined || shown === undefined) return undefined;
    const findOpener = (): HTMLElement | null => chosen?.opener?.() ?? null;
    const pressed = findOpener();
    if (pressed !== null && !fitTogether(pressed, map.getContainer())) focusFirst(shown);
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key !== 'Escape' || event.defaultPrevented || !(event.target instanceof Node)) return;
      // It closes what is above, the list of a field, or the menu.
      if (findTopLayer() !== null || document.querySelector('dialog[open]') !== null) return;
      if (event.target instanceof Element && event.target.closest('input, select, textarea, nav') !== null)
        return;
      event.preventDefault();
      if (shown?.contains(event.target) === true) findOpener()?.focus();
      close();
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [map, popup, chosen]);
}

/** MapLibre's own focus would scroll the map inside its frame. */
function focusFirst(popup: HTMLElement): void {
  popup.querySelector<HTMLElement>('a[href], button')?.focus({ preventScroll: true });
}

/** Whether both can be in the window at once, however the page is scrolled. */
function fitTogether(one: HTMLElement, other: HTMLElement): boolean {
  const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
  return Math.max(a.bottom, b.bottom) - Math.min(a.top, b.top) <= window.innerHeight;
}

/**
 * How far below the map's upper edge a pin is if its popup shall be whole: near the lower edge, because MapLibre opens
 * the popup above. If the popup is too high for that, near the upper edge.
 */
function pinTop(mapHeight: number, popupHeight: number): number {
  const needed = popupHeight - above[1] + popupMargin;
  if (needed <= mapHeight - pinMarginMin) return Math.max(mapHeight - pinMargin, needed);
  return Math.max(0, mapHeight - popupHeight - below[1] - popupMargin);
}

/** MapLibre opens a popup above its pin if there is room, else below. By how much the map's edge then cuts it off. */
function pixelsBelow(sizes: { pinY: number; popupHeight: number; mapHeight: number }): number {
  const { pinY, popupHeight, mapHeight } = sizes;
  if (pinY + above[1] >= popupHeight) return 0;
  return Math.max(0, pinY + below[1] + popupHeight + popupMargin - mapHeight);
}

/**
 * MapLibre centers a popup over its pin, or opens it to the side with more space. On a narrow map, either edge may then
 * cut it off. How far to the right the map's middle must move for a whole popup, less than 0 for the left.
 */
function pixelsBeside(sizes: { pinX: number; popupWidth: number; mapWidth: number }): number {
  const { pinX, popupWidth, mapWidth } = sizes;
  const nearer = Math.min(pinX, mapWidth - pinX);
  const isWhole = nearer > popupWidth / 2 || mapWidth - nearer >= popupWidth + besideOffset;
  return isWhole ? 0 : pinX - mapWidth / 2;
}
