import type { ReactNode } from 'react';
import type { GeoPoint } from '#shared/leads/geo.ts';
import type { PublicProvider } from '#shared/providers/providerFieldLists.ts';

export interface MapPin extends GeoPoint {
  id: number;
  /** Key of its group. */
  group: string;
}

/** Edges in degrees. */
export interface MapBox {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** Pins that the page didn't get, as a circle with their number. The box contains them; a click zooms to it. */
export interface PinCluster extends GeoPoint, MapBox {
  count: number;
}

/** What the map shows, and its zoom as in `MapView`. */
export interface ShownView extends MapBox {
  zoom: number;
}

/** Pins of one color, shown or hidden together. */
export interface PinGroup {
  key: string;
  /** A CSS color. It may use custom properties of the page. */
  color: string;
  isShown?: boolean;
}

/** A counted area, shown as a circle whose surface is the count. Its id differs from every pin's on the map. */
export interface MapArea extends GeoPoint {
  id: number;
  count: number;
}

/** A marked place that is no provider: the visitor's location or the center of a ZIP code. */
export interface MapPlace extends GeoPoint {
  label: string;
}

export interface MapView {
  center: GeoPoint;
  /** As street maps count: the world is 256 px wide at zoom 0, and the continental US fill a page at 4. */
  zoom: number;
}

export interface PinChoice {
  id: number;
  /** From elsewhere on the page the map moves to the pin; one pressed on the map is in view. */
  from: 'map' | 'page';
  /**
   * Finds what was pressed on the page; it may have been replaced. If it isn't in view beside the map, the popup gets the
   * focus and Escape returns it.
   */
  opener?: () => HTMLElement | null;
}

export interface ProviderMapProps {
  /** What the map is called for who doesn't see it. */
  label: string;
  pins: readonly MapPin[];
  groups: readonly PinGroup[];
  /** Counts by area, beneath the pins; chosen as pins are. */
  areas?: readonly MapArea[];
  /** Below zoom 8, pins that would overlap are combined into one circle with their number. */
  clusters?: boolean;
  /** Clusters of the first group, made by the page. The map then makes none of its own. */
  counted?: readonly PinCluster[] | undefined;
  /** Called when the map is drawn and after each move. */
  onView?: ((shown: ShownView) => void) | undefined;
  /** Another object moves the map there. */
  view: MapView;
  scrollZoom?: boolean;
  /** Street tiles with `{z}`, `{x}` and `{y}`. Null shows only the basemap. */
  tilesUrl: string | null;
  place?: MapPlace | null;
  chosen: PinChoice | null;
  onChoose: (choice: PinChoice | null) => void;
  /** The content of the chosen pin's popup. */
  renderPopup: (id: number) => ReactNode;
}

/** Why there is no map: the browser can't draw one, or this attempt went wrong and another may not. */
export type UndrawnPhase = 'unsupported' | 'failed';

/** The map reports once how its drawing ended. */
export interface MapCanvasProps extends ProviderMapProps {
  onDrawn: () => void;
  /** The street tiles can't be loaded: the map has only its basemap. */
  onTilesFailed: () => void;
  onUndrawn: (phase: UndrawnPhase) => void;
}

/** The middle of the continental United States, in full view. */
export const continentalView: MapView = { center: { latitude: 39.83, longitude: -98.58 }, zoom: 4 };

interface Coordinates {
  latitude: number | string | null;
  longitude: number | string | null;
}

/** A provider's coordinates, which may be text; null unless both are numbers. */
export function toPoint({ latitude, longitude }: Coordinates): GeoPoint | null {
  if (latitude === null || longitude === null) return null;
  const point = { latitude: Number(latitude), longitude: Number(longitude) };
  return Number.isFinite(point.latitude) && Number.isFinite(point.longitude) ? point : null;
}

/** Pins for providers with both coordinates. */
export function collectPins(providers: readonly PublicProvider[], group: string): MapPin[] {
  return providers.flatMap((provider) => {
    const point = toPoint(provider);
    return point === null ? [] : [{ id: provider.id, group, ...point }];
  });
}
