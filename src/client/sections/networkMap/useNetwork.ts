import { useEffect, useMemo, useState, useEffectEvent } from 'react';
import { showWhenLoaded } from '#client/ui/deferred.tsx';
import { debugLog } from '#client/browser/log.ts';
import { fetchProviders, type ProviderList, fetchNearest, fetchProvider } from '#client/api/providersApi.ts';
import {
  collectPins,
  continentalView,
  type MapPlace,
  type MapView,
  type PinChoice,
  type ShownView,
  toPoint,
} from '#client/map/mapTypes.ts';
import type { PublicProvider } from '#shared/providers/providerFieldLists.ts';
import { type ListedProvider, listProviders } from './distances.ts';
import { useCountedPins } from '#client/map/useCountedPins.ts';
import { type GeoPoint, greatCircleMiles } from '#shared/leads/geo.ts';
import { sortedText } from '#shared/brand/map.ts';
import { toProviderView } from '#shared/providers/providerView.ts';

/** Where distances are counted from. */
interface Place extends MapPlace {
  /** In the sentence 'Sorted by distance from …'. */
  from: string;
}

type Loaded =
  { status: 'loading' | 'failed'; providers: null; total: null } | ({ status: 'ready' } & ProviderList);

export const providerGroup = 'active';
const placeZoom = 9;

export type Network = ReturnType<typeof useNetwork>;

async function askProviders(): Promise<Loaded> {
  try {
    return { status: 'ready', ...(await fetchProviders('active')) };
  } catch (error) {
    debugLog('No providers:', error);
    return { status: 'failed', providers: null, total: null };
  }
}

const loading: Loaded = { status: 'loading', providers: null, total: null };

/**
 * The active providers with their order, the visitor's place and the chosen one: all, requested once they are wanted,
 * or those around the middle of the map if they are too many for a browser.
 */
export function useNetwork(isWanted: boolean) {
  const [loaded, setLoaded] = useState<Loaded>(loading);
  const [place, setPlace] = useState<Place | null>(null);
  const [chosen, choose] = useState<PinChoice | null>(null);

  useEffect(() => {
    const load = async (): Promise<void> => setLoaded(await askProviders());
    if (isWanted) void load();
  }, [isWanted]);

  const { status, providers, total } = loaded;
  const large = useLargeNetwork({ isLarge: total !== null, place, chosen });

  async function reload(): Promise<void> {
    if (total !== null) {
      large.retry();
      return;
    }
    setLoaded(loading);
    setLoaded(await askProviders());
  }

  const listed = useMemo(() => listProviders(providers ?? [], place), [providers, place]);
  // Not from the list: another order must not make the map redraw all pins.
  const pins = useMemo(() => collectPins(providers ?? [], providerGroup), [providers]);
  const view = useMemo<MapView>(
    () => (place === null ? continentalView : { center: place, zoom: placeZoom }),
    [place],
  );
  const all = {
    status,
    isWaitingForPins: false,
    listed,
    nearest: listed[0] ?? null,
    pins,
    counted: undefined,
    onView: undefined,
    findProvider: (id: number) => providers?.find((provider) => provider.id === id) ?? null,
  };
  return {
    ...(total === null ? all : large),
    reload,
    /** How many there are if the list has only those nearest to the middle of the map; null if it has all. */
    total,
    place,
    setPlace,
    view,
    chosen,
    choose,
  };
}

/** Providers in the list of a network that is too large for the browser. */
const nearestMax = 100;
/** Distances are counted from the visitor's place, but only the area around it is sent. In pixels. */
const roundingPx = 16;

interface Options {
  isLarge: boolean;
  place: MapPlace | null;
  chosen: PinChoice | null;
}

interface Nearest {
  center: GeoPoint;
  providers: PublicProvider[];
}

function roundPoint({ latitude, longitude }: GeoPoint, zoom: number): GeoPoint {
  const step = (roundingPx * 360) / (256 * 2 ** Math.max(0, Math.floor(zoom)));
  const rounded = (degrees: number): number => Number((Math.round(degrees / step) * step).toFixed(4));
  return { latitude: Math.max(-90, Math.min(90, rounded(latitude))), longitude: rounded(longitude) };
}

const firstCenter = roundPoint(continentalView.center, continentalView.zoom);

/** For a network too large for the browser: the map's pins and clusters, and the providers nearest to its middle. */
function useLargeNetwork({ isLarge, place, chosen }: Options) {
  const countedPins = useCountedPins(providerGroup, isLarge);
  const { pins } = countedPins;
  const [moved, setMoved] = useState<{ center: GeoPoint; place: MapPlace | null }>({
    center: firstCenter,
    place: null,
  });
  // A new place is asked for at once, not after the map has moved there.
  const center = moved.place === place || place === null ? moved.center : roundPoint(place, placeZoom);
  const [attempt, setAttempt] = useState(1);
  const [failedAttempt, setFailedAttempt] = useState(0);
  const [nearest, setNearest] = useState<Nearest | null>(null);
  const [single, setSingle] = useState<PublicProvider | null>(null);
  const { latitude, longitude } = center;

  useEffect(() => {
    if (!isLarge) return undefined;
    const from = { latitude, longitude };
    const loaded = fetchNearest(from, nearestMax).catch((error: unknown) => {
      debugLog('No providers:', error);
      return null;
    });
    return showWhenLoaded(loaded, (found) => {
      if (found === null) setFailedAttempt(attempt);
      else setNearest({ center: from, providers: found });
    });
  }, [isLarge, latitude, longitude, attempt]);

  const providers = nearest?.providers;
  const known = (id: number): PublicProvider | null =>
    providers?.find((provider) => provider.id === id) ?? (single?.id === id ? single : null);
  const findKnown = useEffectEvent(known);
  const chosenId = chosen?.id ?? null;
  useEffect(() => {
    if (!isLarge || chosenId === null) return undefined;
    // Also a listed one is kept: the list may change while its popup is open.
    const load = async (): Promise<PublicProvider | null> => findKnown(chosenId) ?? fetchProvider(chosenId);
    const loaded = load().catch((error: unknown) => {
      debugLog('No provider:', error);
      return null;
    });
    return showWhenLoaded(loaded, (provider) => {
      if (provider !== null) setSingle(provider);
    });
  }, [isLarge, chosenId]);

  function onView(view: ShownView): void {
    countedPins.onView(view);
    // The list stays as it is while the map moves to one of its providers.
    if (chosen?.from === 'page') return;
    const middle = {
      latitude: (view.south + view.north) / 2,
      longitude: (view.west + view.east) / 2,
    };
    setMoved({ center: roundPoint(middle, view.zoom), place });
  }

  const listed = useMemo(
    () =>
      place === null
        ? (providers ?? []).map((provider) => ({ provider, point: toPoint(provider), miles: null }))
        : listProviders(providers ?? [], place),
    [providers, place],
  );
  const shownPins = useMemo(() => {
    const point = single === null || single.id !== chosenId ? null : toPoint(single);
    return point === null || chosenId === null || pins.some(({ id }) => id === chosenId)
      ? pins
      : [...pins, { id: chosenId, group: providerGroup, ...point }];
  }, [pins, chosenId, single]);

  function retry(): void {
    setAttempt(attempt + 1);
    countedPins.retry();
  }

  const unloaded = failedAttempt === attempt ? 'failed' : 'loading';
  const isNearestSure = place !== null && nearest !== null && isSure(listed, nearest, place);
  const status: Loaded['status'] =
    countedPins.status === 'failed' ? 'failed' : nearest === null ? unloaded : 'ready';
  return {
    status,
    /** The list is there before the pins, which the map asks for when it is drawn. */
    isWaitingForPins: countedPins.status === 'loading',
    retry,
    listed,
    /** The first of a list that is sorted from a place; null unless it is certainly the nearest. */
    nearest: isNearestSure ? (listed[0] ?? null) : null,
    pins: shownPins,
    counted: countedPins.counted,
    onView,
    findProvider: known,
  };
}

/** Everyone within the reach of the list, less the way from its middle to the place, is in the list. */
function isSure(listed: readonly ListedProvider[], { center, providers }: Nearest, place: GeoPoint): boolean {
  if (providers.length < nearestMax) return true;
  const end = providers.map(toPoint).findLast((point) => point !== null) ?? null;
  if (end === null) return false;
  const reach = greatCircleMiles(center, end) - greatCircleMiles(center, place);
  return (listed[0]?.miles ?? Infinity) <= reach;
}

/** What the list is sorted by, with the nearest. */
export function describeOrder({ place, status, nearest }: Network, radiusMiles: number): string {
  if (place === null || status !== 'ready') return '';
  if (nearest === null || nearest.miles === null) return sortedText(place.from, null);
  const { label } = toProviderView(nearest.provider);
  return sortedText(place.from, { name: label, miles: nearest.miles }, radiusMiles);
}
