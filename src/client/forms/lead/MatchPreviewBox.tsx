import { styled } from 'styled-components';
import { media, needsScripts, token } from '#client/theme/tokens.ts';
import { BadgeCheck } from '#client/ui/Icon.tsx';
import { Portrait } from '#client/ui/Picture.tsx';
import { matchPreviewTexts } from '#shared/brand/stepForms.ts';
import type { NamedProvider } from './namedProvider.ts';
import type { MatchPreviewState } from './useMatchPreview.ts';

interface MatchPreviewProps {
  /** Null until one is accepted. */
  zip: string | null;
  state: MatchPreviewState;
}

interface MatchPreviewBoxProps extends MatchPreviewProps {
  id?: string;
  /** Returns to the ZIP. Absent where the ZIP is in view. */
  onChangeZip?: (() => void) | undefined;
}

/**
 * The provider that the ZIP leads to, shown before the visitor types contact details. Its space is reserved, so that
 * nothing moves when the response arrives. The name shown is sent with the form as part of the consent evidence.
 */
export function MatchPreviewBox({ id, zip, state, onChangeZip }: MatchPreviewBoxProps) {
  return (
    <Panel
      id={id}
      data-match-preview
      data-match={zip === null || state.kind === 'asking' ? undefined : state.kind}
    >
      <div aria-live="polite">
        {zip === null ? (
          <p>{matchPreviewTexts.prompt}</p>
        ) : (
          <Preview key={state.kind} zip={zip} state={state} />
        )}
      </div>
      {zip === null || onChangeZip === undefined ? null : (
        <Change type="button" onClick={onChangeZip}>
          {matchPreviewTexts.change(zip)}
        </Change>
      )}
      {state.kind === 'found' ? (
        <input type="hidden" name="seller_shown" value={state.provider.name} />
      ) : null}
    </Panel>
  );
}

function Preview({ zip, state }: { zip: string; state: MatchPreviewState }) {
  if (state.kind === 'found')
    return <Named line={matchPreviewTexts.found(zip)} provider={state.provider} isCertified />;
  if (state.kind !== 'beyond') return <p>{matchPreviewTexts[state.kind](zip)}</p>;
  return (
    <>
      <p>{matchPreviewTexts.none(zip)}</p>
      <Named line={matchPreviewTexts.closest} provider={state.provider} />
    </>
  );
}

interface NamedProps {
  line: string;
  provider: NamedProvider;
  isCertified?: boolean;
}

function Named({ line, provider, isCertified = false }: NamedProps) {
  const { name, city, initial, imageUrl, distanceMiles } = provider;
  return (
    <NamedGrid>
      <Portrait src={imageUrl} initial={initial} />
      <Line>{line}</Line>{' '}
      <p>
        <Name>{name}</Name>{' '}
        <Place>
          {city}
          {city === null || distanceMiles === null ? null : ' · '}
          {distanceMiles === null ? null : <Distance>{matchPreviewTexts.distance(distanceMiles)}</Distance>}
        </Place>{' '}
        {isCertified ? (
          <Certified>
            <BadgeCheck />
            <span>{matchPreviewTexts.certified}</span>
          </Certified>
        ) : null}
      </p>
    </NamedGrid>
  );
}

/** Names the provider once more beside the consent box. Its line is reserved too. */
export function MatchReminder({ zip, state }: MatchPreviewProps) {
  if (zip === null) return null;
  return (
    <Reminder>
      {state.kind === 'found' ? (
        <>
          <span>{matchPreviewTexts.found(zip)}</span> <Name>{state.provider.name}</Name>
        </>
      ) : state.kind === 'asking' || state.kind === 'unplaced' ? null : (
        <span>{matchPreviewTexts.reminder(zip)}</span>
      )}
    </Reminder>
  );
}

/** Space for a provider with a name and a place of two lines on a phone, of one line elsewhere. */
const Panel = styled.div`
  scroll-margin-block-start: 0.5rem;
  display: grid;
  gap: 0.25rem;
  align-content: start;
  min-block-size: 11rem;
  padding: 1rem;
  border-radius: ${token.radius};
  background: ${token.tint};
  line-height: 1.5;

  ${media.tablet} {
    min-block-size: 9rem;
  }
  ${needsScripts}
`;

const Line = styled.p`
  color: var(--surface-muted);
  font-size: 0.9375rem;
`;

/** The line is above the picture and the name. */
const NamedGrid = styled.div`
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  gap: 0.375rem 0.875rem;
  align-items: center;

  p + & {
    margin-block-start: 0.5rem;
  }

  & > :first-child {
    grid-row: 2;
    background: ${token.background};
  }

  & > ${Line} {
    grid-column: 1 / 3;
  }
`;

const Name = styled.strong`
  display: block;
  color: var(--surface-heading);
  font-weight: 600;
  line-height: 1.35;
  overflow-wrap: anywhere;
`;

const Place = styled.span`
  display: block;
  color: var(--surface-muted);
  font-size: 0.9375rem;
  line-height: 1.4;
`;

const Distance = styled.span`
  display: inline-block;
`;

const Certified = styled.span`
  display: inline-flex;
  gap: 0.375rem;
  align-items: center;
  color: var(--surface-heading);
  font-size: 0.9375rem;
  font-weight: 500;
  line-height: 1.4;

  & > svg {
    inline-size: 1.125rem;
    color: var(--surface-accent);
  }
`;

const Change = styled.button`
  justify-self: start;
  min-block-size: 2.75rem;
  padding: 0;
  border: 0;
  background: none;
  color: var(--surface-link);
  font-size: 0.9375rem;
  font-weight: 600;
  text-decoration: underline;
  cursor: pointer;
`;

/** Two lines on a phone, one elsewhere. */
const Reminder = styled.p`
  min-block-size: 3em;
  margin-block-end: -0.625rem;
  font-size: 0.9375rem;
  line-height: 1.5;

  & > strong {
    display: inline;
  }

  ${media.tablet} {
    min-block-size: 1.5em;
  }
  ${needsScripts}
`;
