import { useEffect, useMemo, useState } from 'react';
import { debugLog } from '#client/browser/debugLog.ts';
import { fetchProviders } from '#client/api/providersApi.ts';
import {
  continentalView,
  type MapPin,
  type MapPlace,
  type MapView,
  type PinChoice,
} from '#client/map/mapTypes.ts';
import type { PublicProvider } from '#shared/providers/providers.ts';
import { type ListedProvider, listProviders, pointOf } from './distances.ts';

/** Where distances are counted from. */
interface Place extends MapPlace {
  /** In the sentence 'Sorted by distance from …'. */
  from: string;
}

type Loaded =
  { status: 'loading' | 'failed'; providers: null } | { status: 'ready'; providers: PublicProvider[] };

export const providerGroup = 'active';
const placeZoom = 9;

export interface Network {
  status: Loaded['status'];
  reload: () => Promise<void>;
  listed: ListedProvider[];
  pins: MapPin[];
  findProvider: (id: number) => PublicProvider | null;
  place: Place | null;
  setPlace: (place: Place | null) => void;
  view: MapView;
  chosen: PinChoice | null;
  choose: (choice: PinChoice | null) => void;
}

async function askProviders(): Promise<Loaded> {
  try {
    return { status: 'ready', providers: await fetchProviders('active') };
  } catch (error) {
    debugLog('No providers:', error);
    return { status: 'failed', providers: null };
  }
}

let early: Promise<Loaded> | null = null;

/** For a page before hydration: starts the request that the hook will need. */
export function askProvidersEarly(): void {
  early = askProviders();
}

/** All active providers, requested once, with their order, the visitor's place and the chosen one. */
export function useNetwork(): Network {
  const [loaded, setLoaded] = useState<Loaded>({ status: 'loading', providers: null });
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

  async function reload(): Promise<void> {
    setLoaded({ status: 'loading', providers: null });
    setLoaded(await askProviders());
  }

  const { status, providers } = loaded;
  const listed = useMemo(() => listProviders(providers ?? [], place), [providers, place]);
  // Not from the list: another order must not make the map redraw all pins.
  const pins = useMemo(() => pinsOf(providers ?? []), [providers]);
  const view = useMemo<MapView>(
    () => (place === null ? continentalView : { centre: place, zoom: placeZoom }),
    [place],
  );
  return {
    status,
    reload,
    listed,
    pins,
    findProvider: (id) => providers?.find((provider) => provider.id === id) ?? null,
    place,
    setPlace,
    view,
    chosen,
    choose,
  };
}

/** Pins for providers with both coordinates. */
export function pinsOf(providers: readonly PublicProvider[]): MapPin[] {
  return providers.flatMap((provider) => {
    const point = pointOf(provider);
    return point === null ? [] : [{ id: provider.id, group: providerGroup, ...point }];
  });
}
