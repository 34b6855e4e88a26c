import { useEffect, useMemo, useState } from 'react';
import { debugLog } from '#client/browser/log.ts';
import { fetchProviders, type ProviderList } from '#client/api/providersApi.ts';
import {
  continentalView,
  type MapPin,
  type MapPlace,
  type MapView,
  type PinChoice,
  type PinCluster,
  type ShownView,
} from '#client/map/mapTypes.ts';
import type { PublicProvider } from '#shared/providers/providers.ts';
import { type ListedProvider, listProviders, toPoint } from './distances.ts';
import { useLargeNetwork } from './useLargeNetwork.ts';

/** Where distances are counted from. */
interface Place extends MapPlace {
  /** In the sentence 'Sorted by distance from …'. */
  from: string;
}

type Loaded =
  { status: 'loading' | 'failed'; providers: null; total: null } | ({ status: 'ready' } & ProviderList);

export const providerGroup = 'active';
const placeZoom = 9;

export interface Network {
  status: Loaded['status'];
  isWaitingForPins: boolean;
  reload: () => Promise<void>;
  /** How many there are if the list has only those nearest to the middle of the map; null if it has all. */
  total: number | null;
  listed: ListedProvider[];
  /** The first of a list that is sorted from a place; null unless it is certainly the nearest. */
  nearest: ListedProvider | null;
  pins: readonly MapPin[];
  /** See useLargeNetwork. Undefined where the map has all pins. */
  counted: readonly PinCluster[] | undefined;
  onView: ((view: ShownView) => void) | undefined;
  findProvider: (id: number) => PublicProvider | null;
  place: Place | null;
  setPlace: (place: Place | null) => void;
  view: MapView;
  chosen: PinChoice | null;
  choose: (choice: PinChoice | null) => void;
}

async function askProviders(): Promise<Loaded> {
  try {
    return { status: 'ready', ...(await fetchProviders('active')) };
  } catch (error) {
    debugLog('No providers:', error);
    return { status: 'failed', providers: null, total: null };
  }
}

let early: Promise<Loaded> | null = null;

/** For a page before hydration: starts the request that the hook will need. */
export function askProvidersEarly(): void {
  early = askProviders();
}

const loading: Loaded = { status: 'loading', providers: null, total: null };

/**
 * The active providers with their order, the visitor's place and the chosen one: all, requested once, or those around
 * the middle of the map if they are too many for a browser.
 */
export function useNetwork(): Network {
  const [loaded, setLoaded] = useState<Loaded>(loading);
  const [place, setPlace] = useState<Place | null>(null);
  const [chosen, choose] = useState<PinChoice | null>(null);

  useEffect(() => {
    const load = async (): Promise<void> => {
      const answer = early ?? askProviders();
      early = null;
      setLoaded(await answer);
    };
    void load();
  }, []);

  const { status, providers, total } = loaded;
  const large = useLargeNetwork({ isLarge: total !== null, place, placeZoom, chosen, group: providerGroup });

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
  const pins = useMemo(() => collectPins(providers ?? []), [providers]);
  const view = useMemo<MapView>(
    () => (place === null ? continentalView : { center: place, zoom: placeZoom }),
    [place],
  );
  const common = { reload, total, place, setPlace, view, chosen, choose };
  if (total !== null) {
    const { isNearestSure, findProvider, counted, onView } = large;
    return {
      ...common,
      status: large.status,
      isWaitingForPins: large.isWaitingForPins,
      listed: large.listed,
      nearest: isNearestSure ? (large.listed[0] ?? null) : null,
      pins: large.pins,
      counted,
      onView,
      findProvider,
    };
  }
  return {
    ...common,
    status,
    isWaitingForPins: false,
    listed,
    nearest: listed[0] ?? null,
    pins,
    counted: undefined,
    onView: undefined,
    findProvider: (id) => providers?.find((provider) => provider.id === id) ?? null,
  };
}

/** Pins for providers with both coordinates. */
export function collectPins(providers: readonly PublicProvider[]): MapPin[] {
  return providers.flatMap((provider) => {
    const point = toPoint(provider);
    return point === null ? [] : [{ id: provider.id, group: providerGroup, ...point }];
  });
}
