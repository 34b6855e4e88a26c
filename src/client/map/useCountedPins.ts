import { useCallback, useRef, useState } from 'react';
import { debugLog } from '#client/browser/debugLog.ts';
import { roundView } from '#shared/providers/roundView.ts';
import type { MapPin, PinCluster, ShownView } from './mapTypes.ts';

interface Shown {
  pins: readonly MapPin[];
  counted: readonly PinCluster[];
}

export interface CountedPins extends Shown {
  /** Of the first view. */
  status: 'loading' | 'failed' | 'ready';
  /** Asks for the last view again. */
  retry: () => void;
  /** For the map: asks for what it shows now. */
  onView: (view: ShownView) => void;
}

const nothing: Shown = { pins: [], counted: [] };

/**
 * The pins and clusters of a network that is too large for the browser, from the server, for what the map shows. A view
 * that can't be loaded leaves what is there; the next move asks again.
 */
export function useCountedPins(group: string): CountedPins {
  const [shown, setShown] = useState<Shown | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const asked = useRef('');
  const last = useRef<ShownView | null>(null);

  const onView = useCallback(
    (view: ShownView): void => {
      last.current = view;
      const zoom = Math.max(0, Math.floor(view.zoom));
      const input = { ...roundView(view, zoom), zoom };
      const key = JSON.stringify(input);
      if (key === asked.current) return;
      asked.current = key;
      const load = async (): Promise<void> => {
        try {
          const { trpcClient } = await import('#client/api/trpc.ts');
          const { pins, clusters } = await trpcClient.providers.inView.query(input);
          // A later view may have been asked for.
          if (asked.current !== key) return;
          setShown({ pins: pins.map((pin) => ({ ...pin, group })), counted: clusters });
          setHasFailed(false);
        } catch (error) {
          debugLog('No pins:', error);
          if (asked.current !== key) return;
          asked.current = '';
          setHasFailed(true);
        }
      };
      void load();
    },
    [group],
  );

  function retry(): void {
    setHasFailed(false);
    if (last.current !== null) onView(last.current);
  }

  const early = hasFailed ? 'failed' : 'loading';
  return { ...(shown ?? nothing), status: shown === null ? early : 'ready', onView, retry };
}
