import { useEffect, useState } from 'react';
import { showWhenLoaded } from '#client/ui/deferred.tsx';
import type { MatchPreview } from '#shared/leads/matching.ts';
import { zipInText } from '#shared/leads/zip.ts';
import { type NamedProvider, rememberNamed, requestedProvider } from './namedProvider.ts';

/**
 * What is known about the provider that a ZIP leads to. `beyond`: none is within reach, and this one is the nearest.
 * `unknown`: the request failed; the form works without it. `unplaced`: what was typed is no ZIP.
 */
export type MatchPreviewState =
  | { kind: 'asking' | 'none' | 'unknown' | 'unplaced' }
  | { kind: 'found' | 'beyond'; provider: NamedProvider };

const asking: MatchPreviewState = { kind: 'asking' };

/** An older preview is requested again: its provider may be inactive now. */
const previewAgeMaxMs = 60_000;

/** Previews of this document by their input. A failed request is removed, so that it is sent again. */
const previews = new Map<string, { preview: Promise<MatchPreviewState>; endsAtMs: number }>();

function getState(zip: string, provider: MatchPreview): MatchPreviewState {
  return provider === null
    ? { kind: zipInText(zip) === null ? 'unplaced' : 'none' }
    : { kind: provider.isWithinReach ? 'found' : 'beyond', provider };
}

async function requestPreview(zip: string): Promise<MatchPreview> {
  const { fetchMatchPreview } = await import('./leadApi.ts');
  return fetchMatchPreview(zip, requestedProvider(location.search));
}

/** The preview of a ZIP. Never rejects. Two requests for the same ZIP are one. */
export function buildPreview(zip: string): Promise<MatchPreviewState> {
  const key = `${zip}${location.search}`;
  const before = previews.get(key);
  if (before !== undefined && Date.now() < before.endsAtMs) return before.preview;
  const preview = requestPreview(zip).then(
    (provider) => getState(zip, provider),
    (): MatchPreviewState => {
      previews.delete(key);
      return { kind: zipInText(zip) === null ? 'unplaced' : 'unknown' };
    },
  );
  previews.set(key, { preview, endsAtMs: Date.now() + previewAgeMaxMs });
  return preview;
}

/**
 * Requests the preview once there is a ZIP, and again when a visitor goes on with the form later. It never throws and
 * delays nothing.
 */
export function useMatchPreview(zip: string | null): MatchPreviewState {
  const [known, setKnown] = useState<{ zip: string; state: MatchPreviewState } | null>(null);
  useEffect(() => {
    if (zip === null) return undefined;
    let asked: Promise<MatchPreviewState> | null = null;
    let end = (): void => {};
    const ask = (): void => {
      const preview = buildPreview(zip);
      if (preview === asked) return;
      asked = preview;
      end();
      end = showWhenLoaded(preview, (state) => {
        rememberNamed('provider' in state ? state.provider : null);
        setKnown({ zip, state });
      });
    };
    ask();
    // Captured, it is the focus of each field, and of the window of a visitor who comes back to it.
    window.addEventListener('focus', ask, true);
    return () => {
      end();
      window.removeEventListener('focus', ask, true);
    };
  }, [zip]);
  return known !== null && known.zip === zip ? known.state : asking;
}
