import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { debugLog } from '#client/browser/log.ts';
import { roundView } from '#shared/leads/geo.ts';
import type { MapPin, PinCluster, ShownView } from './mapTypes.ts';

interface Shown {
  pins: readonly MapPin[];
  counted: readonly PinCluster[];
}

/** Contains the first view of any screen (`continentalView`), so that it is asked for before the map is drawn. */
const firstView: ShownView = { west: -180, south: 0, east: 0, north: 67.5, zoom: 4 };

function contains(outer: ShownView, inner: ShownView): boolean {
  return (
    outer.zoom === inner.zoom &&
    outer.west <= inner.west &&
    outer.south <= inner.south &&
    outer.east >= inner.east &&
    outer.north >= inner.north
  );
}

const nothing: Shown = { pins: [], counted: [] };

/**
 * The pins and clusters of a network that is too large for the browser, from the server, for what the map shows. A view
 * that can't be loaded leaves what is there; the next move asks again. Nothing is requested before `isWanted`.
 */
export function useCountedPins(group: string, isWanted: boolean) {
  const [shown, setShown] = useState<Shown | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const asked = useRef<ShownView | null>(null);
  const last = useRef<ShownView | null>(null);

  /** For the map: asks for what it shows now. */
  const onView = useCallback(
    (view: ShownView): void => {
      last.current = view;
      const zoom = Math.max(0, Math.floor(view.zoom));
      const input = { ...roundView(view, zoom), zoom };
      if (asked.current !== null && contains(asked.current, input)) return;
      asked.current = input;
      const load = async (): Promise<void> => {
        try {
          const { trpcClient } = await import('#client/api/trpc.ts');
          const { pins, clusters } = await trpcClient.providers.inView.query(input);
          // A later view may have been asked for.
          if (asked.current !== input) return;
          setShown({ pins: pins.map((pin) => ({ ...pin, group })), counted: clusters });
          setHasFailed(false);
        } catch (error) {
          debugLog('No pins:', error);
          if (asked.current !== input) return;
          asked.current = null;
          setHasFailed(true);
        }
      };
      void load();
    },
    [group],
  );

  const ask = useEffectEvent(onView);
  useEffect(() => {
    if (isWanted) ask(firstView);
  }, [isWanted]);

  /** Asks for the last view again. */
  function retry(): void {
    setHasFailed(false);
    if (last.current !== null) onView(last.current);
  }

  /** Of the first view. */
  const status: 'loading' | 'failed' | 'ready' = shown !== null ? 'ready' : hasFailed ? 'failed' : 'loading';
  return { ...(shown ?? nothing), status, onView, retry };
}
