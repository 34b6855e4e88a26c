import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { debugLog } from '#client/browser/log.ts';
import { fetchNearest, fetchProvider } from '#client/api/providersApi.ts';
import {
  continentalView,
  type MapPin,
  type MapPlace,
  type PinChoice,
  type PinCluster,
  type ShownView,
} from '#client/map/mapTypes.ts';
import { useCountedPins } from '#client/map/useCountedPins.ts';
import { type GeoPoint, greatCircleMiles } from '#shared/leads/geo.ts';
import type { PublicProvider } from '#shared/providers/providers.ts';
import { type ListedProvider, listProviders, toPoint } from './distances.ts';

/** Providers in the list of a network that is too large for the browser. */
const nearestMax = 100;
/** Distances are counted from the visitor's place, but only the area around it is sent. In pixels. */
const roundingPx = 16;

export interface LargeNetwork {
  status: 'loading' | 'failed' | 'ready';
  /** The list is there before the pins, which the map asks for when it is drawn. */
  isWaitingForPins: boolean;
  retry: () => void;
  listed: ListedProvider[];
  /** Whether the first of the list is certainly the nearest to the place. */
  isNearestSure: boolean;
  pins: readonly MapPin[];
  counted: readonly PinCluster[];
  onView: (view: ShownView) => void;
  findProvider: (id: number) => PublicProvider | null;
}

interface Options {
  isLarge: boolean;
  place: MapPlace | null;
  placeZoom: number;
  chosen: PinChoice | null;
  group: string;
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

/**
 * A network that is too large for the browser: pins and clusters of what the map shows, and the providers nearest to its
 * middle as the list. Nothing is requested while `isLarge` is false.
 */
export function useLargeNetwork({ isLarge, place, placeZoom, chosen, group }: Options): LargeNetwork {
  const countedPins = useCountedPins(group, isLarge);
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
    let isWanted = true;
    const load = async (): Promise<void> => {
      const from = { latitude, longitude };
      try {
        const providers = await fetchNearest(from, nearestMax);
        if (isWanted) setNearest({ center: from, providers });
      } catch (error) {
        debugLog('No providers:', error);
        if (isWanted) setFailedAttempt(attempt);
      }
    };
    void load();
    return () => {
      isWanted = false;
    };
  }, [isLarge, latitude, longitude, attempt]);

  const providers = nearest?.providers;
  const known = (id: number): PublicProvider | null =>
    providers?.find((provider) => provider.id === id) ?? (single?.id === id ? single : null);
  const findKnown = useEffectEvent(known);
  const chosenId = chosen?.id ?? null;
  useEffect(() => {
    if (!isLarge || chosenId === null) return undefined;
    let isWanted = true;
    const load = async (): Promise<void> => {
      // Also a listed one is kept: the list may change while its popup is open.
      const provider =
        findKnown(chosenId) ??
        (await fetchProvider(chosenId).catch((error: unknown) => {
          debugLog('No provider:', error);
          return null;
        }));
      if (isWanted && provider !== null) setSingle(provider);
    };
    void load();
    return () => {
      isWanted = false;
    };
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
      : [...pins, { id: chosenId, group, ...point }];
  }, [pins, group, chosenId, single]);

  function retry(): void {
    setAttempt(attempt + 1);
    countedPins.retry();
  }

  const early = failedAttempt === attempt ? 'failed' : 'loading';
  return {
    status: countedPins.status === 'failed' ? 'failed' : nearest === null ? early : 'ready',
    isWaitingForPins: countedPins.status === 'loading',
    retry,
    listed,
    isNearestSure: place !== null && nearest !== null && isSure(listed, nearest, place),
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
