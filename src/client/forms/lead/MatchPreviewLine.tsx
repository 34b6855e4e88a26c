import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { BadgeCheck } from '#client/ui/Icon.tsx';
import { matchPreviewTexts } from '#shared/brand/stepForms.ts';
import { type MatchPreviewState, useMatchPreview } from './matchPreviewState.ts';

interface MatchPreviewLineProps {
  /** Null as long as none is entered. */
  zip: string | null;
}

/**
 * Who will call, said before anyone agrees to be called: the clinic the ZIP leads to, by name and distance. Its place is kept, so that
 * nothing moves when the answer comes; the name shown goes along with the form as part of the evidence.
 */
export function MatchPreviewLine({ zip }: MatchPreviewLineProps) {
  const state = useMatchPreview(zip);
  return (
    <Panel data-match={state.kind === 'asking' ? undefined : state.kind}>
      <BadgeCheck strokeWidth={1.75} />
      <div aria-live="polite">
        {zip === null ? null : <Answer key={state.kind} zip={zip} state={state} />}
      </div>
      {state.kind === 'found' ? <input type="hidden" name="seller_shown" value={state.name} /> : null}
    </Panel>
  );
}

function Answer({ zip, state }: { zip: string; state: MatchPreviewState }) {
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

/** Room for four lines of text on a phone, three elsewhere. */
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
