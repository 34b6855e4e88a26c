import { styled } from 'styled-components';
import { media, needsScripts, token } from '#client/theme/tokens.ts';
import { BadgeCheck } from '#client/ui/Icon.tsx';
import { Portrait } from '#client/ui/Picture.tsx';
import { Span } from '#client/ui/Span.tsx';
import { leadFormTexts } from '#shared/brand/leadForm.ts';
import { matchPreviewTexts } from '#shared/brand/matchPreview.ts';
import { zipInText } from '#shared/leads/zip.ts';
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
      $isReserved={zip !== null && zipInText(zip) !== null}
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
  if (state.kind === 'asking')
    return (
      <>
        <p>{matchPreviewTexts.asking(zip)}</p>
        <Distance end={1} isEmpty />
      </>
    );
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
          {city === null ? null : <span>{city}</span>}
          {isCertified ? (
            <Certified>
              <BadgeCheck />
              <span>{matchPreviewTexts.certified}</span>
            </Certified>
          ) : null}
        </Place>
      </p>
      {distanceMiles === null ? null : (
        <Distance
          label={matchPreviewTexts.distance(distanceMiles)}
          end={1}
          startText={matchPreviewTexts.you}
          endText={matchPreviewTexts.miles(distanceMiles)}
        />
      )}
    </NamedGrid>
  );
}

/** Beside the consent box: who calls, when, and under which name. Its lines are reserved too. */
export function MatchReminder({ zip, state }: MatchPreviewProps) {
  if (zip === null) return null;
  return (
    <Reminder>
      {state.kind === 'found' ? (
        <>
          <span>{matchPreviewTexts.found(zip)}</span> <Name>{state.provider.name}</Name>{' '}
          <Caller>{leadFormTexts.caller(state.provider)}</Caller>
        </>
      ) : state.kind === 'asking' || state.kind === 'unplaced' ? null : (
        <span>{matchPreviewTexts.reminder(zip)}</span>
      )}
    </Reminder>
  );
}

/**
 * Without a ZIP as high as its line. With one it has space for the answer: a name of two lines on a phone, else one.
 */
const Panel = styled.div<{ $isReserved: boolean }>`
  scroll-margin-block-start: 0.5rem;
  display: grid;
  gap: 0.25rem;
  align-content: center;
  min-block-size: ${({ $isReserved }) => ($isReserved ? '12.5rem' : 0)};
  padding: 1rem;
  border-radius: ${token.radius};
  background: ${token.tint};
  line-height: 1.5;

  ${media.tablet} {
    min-block-size: ${({ $isReserved }) => ($isReserved ? '10.25rem' : 0)};
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

  & > ${Line}, & > svg {
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
  display: flex;
  flex-wrap: wrap;
  gap: 0 0.75rem;
  color: var(--surface-muted);
  font-size: 0.9375rem;
  line-height: 1.4;
`;

/** Its first tick is at the edge of the text. */
const Distance = styled(Span)`
  margin-block-start: 0.5rem;
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

const Caller = styled.span`
  display: block;
  color: var(--surface-muted);
`;

/** Five lines on a phone, three elsewhere. */
const Reminder = styled.p`
  min-block-size: 7.5em;
  margin-block-end: -0.625rem;
  font-size: 0.9375rem;
  line-height: 1.5;

  & > strong {
    display: inline;
  }

  ${media.tablet} {
    min-block-size: 4.5em;
  }
  ${needsScripts}
`;
