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

/** Previews of this document by their input. A failed request is removed, so that it is sent again. */
const previews = new Map<string, Promise<MatchPreviewState>>();

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
  if (before !== undefined) return before;
  const preview = requestPreview(zip).then(
    (provider) => getState(zip, provider),
    (): MatchPreviewState => {
      previews.delete(key);
      return { kind: zipInText(zip) === null ? 'unplaced' : 'unknown' };
    },
  );
  previews.set(key, preview);
  return preview;
}

/** Requests the preview once there is a ZIP. It never throws and delays nothing. */
export function useMatchPreview(zip: string | null): MatchPreviewState {
  const [known, setKnown] = useState<{ zip: string; state: MatchPreviewState } | null>(null);
  useEffect(() => {
    if (zip === null) return undefined;
    return showWhenLoaded(buildPreview(zip), (state) => {
      rememberNamed('provider' in state ? state.provider : null);
      setKnown({ zip, state });
    });
  }, [zip]);
  return known !== null && known.zip === zip ? known.state : asking;
}
