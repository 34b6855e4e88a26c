import { useEffect, useState } from 'react';
import type { MatchPreview } from '#shared/leads/matching.ts';
import { requestedProvider } from './requestedProvider.ts';

/** What the form can say of the clinic a ZIP leads to. `unknown`: the question could not be asked, and nothing hangs on it. */
export type MatchPreviewState =
  { kind: 'asking' | 'none' | 'unknown' } | { kind: 'found'; name: string; distanceMiles: number | null };

const asking: MatchPreviewState = { kind: 'asking' };

/** Answers of this document, by what was asked; a failed question is asked again. */
const answers = new Map<string, Promise<MatchPreviewState>>();

function stateOf(preview: MatchPreview): MatchPreviewState {
  return preview === null ? { kind: 'none' } : { kind: 'found', ...preview };
}

async function ask(zip: string): Promise<MatchPreview> {
  const { fetchMatchPreview } = await import('./leadApi.ts');
  return fetchMatchPreview(zip, requestedProvider(location.search));
}

function answerTo(zip: string): Promise<MatchPreviewState> {
  const key = `${zip}${location.search}`;
  const before = answers.get(key);
  if (before !== undefined) return before;
  const answer = ask(zip).then(stateOf, (): MatchPreviewState => {
    answers.delete(key);
    return { kind: 'unknown' };
  });
  answers.set(key, answer);
  return answer;
}

/** Asks once a ZIP is given; null asks nothing. Never throws and holds nothing up. */
export function useMatchPreview(zip: string | null): MatchPreviewState {
  const [known, setKnown] = useState<{ zip: string; state: MatchPreviewState } | null>(null);
  useEffect(() => {
    if (zip === null) return undefined;
    let isCurrent = true;
    const show = (state: MatchPreviewState): void => {
      if (isCurrent) setKnown({ zip, state });
    };
    void answerTo(zip).then(show);
    return () => {
      isCurrent = false;
    };
  }, [zip]);
  return known !== null && known.zip === zip ? known.state : asking;
}
