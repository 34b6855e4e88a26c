import { useEffect, useState } from 'react';
import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { BadgeCheck } from '#client/ui/Icon.tsx';
import { matchPreviewTexts } from '#shared/brand/stepForms.ts';
import type { MatchPreview } from '#shared/leads/matching.ts';
import { requestedProvider } from './requestedProvider.ts';

interface MatchPreviewLineProps {
  /** Null until one is accepted. */
  zip: string | null;
}

/**
 * The provider that the ZIP leads to, by name and distance, shown before the visitor agrees to be called. Its space is
 * reserved, so that nothing moves when the response arrives. The name shown is sent with the form as part of the
 * consent evidence.
 */
export function MatchPreviewLine({ zip }: MatchPreviewLineProps) {
  const state = useMatchPreview(zip);
  return (
    <Panel data-match={state.kind === 'asking' ? undefined : state.kind}>
      <BadgeCheck strokeWidth={1.75} />
      <div aria-live="polite">
        {zip === null ? null : <Preview key={state.kind} zip={zip} state={state} />}
      </div>
      {state.kind === 'found' ? <input type="hidden" name="seller_shown" value={state.name} /> : null}
    </Panel>
  );
}

function Preview({ zip, state }: { zip: string; state: MatchPreviewState }) {
  if (state.kind !== 'found') return <p>{matchPreviewTexts[state.kind](zip)}</p>;
  const { name, distanceMiles } = state;
  return (
    <>
      <p>
        <span>{matchPreviewTexts.found(zip)}</span> <Name>{name}</Name>
      </p>
      {distanceMiles === null ? null : <Distance>{matchPreviewTexts.distance(distanceMiles)}</Distance>}
    </>
  );
}

/** What is known about the provider that a ZIP leads to. `unknown`: the request failed; the form works without it. */
type MatchPreviewState =
  { kind: 'asking' | 'none' | 'unknown' } | { kind: 'found'; name: string; distanceMiles: number | null };

const asking: MatchPreviewState = { kind: 'asking' };

/** Previews of this document by their input. A failed request is removed, so that it is sent again. */
const previews = new Map<string, Promise<MatchPreviewState>>();

function stateOf(preview: MatchPreview): MatchPreviewState {
  return preview === null ? { kind: 'none' } : { kind: 'found', ...preview };
}

async function requestPreview(zip: string): Promise<MatchPreview> {
  const { fetchMatchPreview } = await import('./leadApi.ts');
  return fetchMatchPreview(zip, requestedProvider(location.search));
}

function previewOf(zip: string): Promise<MatchPreviewState> {
  const key = `${zip}${location.search}`;
  const before = previews.get(key);
  if (before !== undefined) return before;
  const preview = requestPreview(zip).then(stateOf, (): MatchPreviewState => {
    previews.delete(key);
    return { kind: 'unknown' };
  });
  previews.set(key, preview);
  return preview;
}

/** Requests the preview once there is a ZIP. It never throws and delays nothing. */
function useMatchPreview(zip: string | null): MatchPreviewState {
  const [known, setKnown] = useState<{ zip: string; state: MatchPreviewState } | null>(null);
  useEffect(() => {
    if (zip === null) return undefined;
    let isCurrent = true;
    const show = (state: MatchPreviewState): void => {
      if (isCurrent) setKnown({ zip, state });
    };
    void previewOf(zip).then(show);
    return () => {
      isCurrent = false;
    };
  }, [zip]);
  return known !== null && known.zip === zip ? known.state : asking;
}

/** Space for four lines of text on a phone, three elsewhere. */
const Panel = styled.div`
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  gap: 0.75rem;
  align-items: center;
  min-block-size: 8rem;
  padding: 1rem;
  border-radius: ${token.radius};
  background: ${token.tint};
  line-height: 1.5;

  & > svg {
    inline-size: 1.5rem;
    color: var(--surface-accent);
  }

  ${media.tablet} {
    min-block-size: 6.5rem;
  }

  @media (scripting: none) {
    display: none;
  }
`;

const Name = styled.strong`
  color: var(--surface-heading);
  font-weight: 600;
  overflow-wrap: anywhere;
`;

const Distance = styled.p`
  color: var(--surface-muted);
  font-size: 0.9375rem;
`;
