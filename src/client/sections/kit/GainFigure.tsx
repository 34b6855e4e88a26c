import { styled } from 'styled-components';
import { useCopy } from '#client/api/tenant.tsx';
import { hero as heroCopy } from '#shared/brand/hero.ts';
import { averageGain, dimensions, gainScale, sliders, studyParticipants } from '#shared/brand/measures.ts';
import { media, token } from '#client/theme/tokens.ts';
import { figureLook } from '#client/ui/Section.tsx';
import { inMargin, marginColumns } from './marginNotes.ts';
import { Span } from '#client/ui/Span.tsx';
import { StudyText } from './StudyNote.tsx';

/** The study's average gains as two spans to one scale, with what they don't show. */
export function GainFigure() {
  const hero = useCopy(heroCopy);
  const { name, sample, limit } = hero.figure;
  // Both or none: they are drawn to one scale, and the caption says that they are averages.
  if (hero.gains.length < heroCopy.gains.length || hero.gainsCaption === '') return null;
  return (
    <Figure>
      <FigureHead>
        <b>{name}</b>
        <span>{sample}</span>
      </FigureHead>
      {dimensions.map((dimension, index) => {
        const start = sliders[dimension].initial;
        const end = start + averageGain[dimension];
        const gain = hero.gains[index];
        return (
          <div key={dimension}>
            <Gain $end={end / gainScale}>
              <strong>{gain?.figure}</strong> {gain?.text}
            </Gain>
            <Span
              gainFrom={start}
              end={end}
              scale={gainScale}
              tickEvery={0.1}
              gainText={start.toFixed(2)}
              endText={end.toFixed(2)}
            />
          </div>
        );
      })}
      <Caption>
        {/* Not while the claim that says how many there are is hidden. */}
        {sample === '' ? null : <Participants />}
        <span>
          <b>
            <StudyText text={hero.gainsCaption} />
          </b>{' '}
          {limit}
        </span>
      </Caption>
    </Figure>
  );
}

const perRow = 8;
/** One stroke per participant, in rows. The text beside it says how many. */
const strokes = Array.from({ length: studyParticipants }, (_, at) => {
  return `M${1 + (at % perRow) * 10} ${Math.floor(at / perRow) * 16}v10`;
}).join('');

/** The study's participants. */
export function Participants({ className }: { className?: string }) {
  return (
    <Strokes className={className} viewBox="0 0 72 58" aria-hidden="true">
      <path d={strokes} />
    </Strokes>
  );
}

const Strokes = styled.svg`
  inline-size: 4.5rem;
  stroke: currentcolor;
  stroke-width: 1.5;
`;

/** A drawing below its head. On wide screens its caption stands in the margin beside it. */
export const Figure = styled.figure`
  display: grid;
  gap: 1.25rem;
  padding-block-start: 0.5rem;
  border-block-start: 1px solid ${token.ink};
  color: var(--surface-heading);

  & > figcaption {
    color: var(--surface-muted);
    font-size: 0.875rem;
    line-height: 1.55;
    text-wrap: pretty;
  }

  ${media.desktop} {
    ${marginColumns}
    align-content: start;

    & > figcaption {
      ${inMargin}
      grid-row: 2 / span 3;
    }
  }
`;

/** Names a figure, and says what was counted or drawn. */
export const FigureHead = styled.p`
  grid-column: 1 / -1;
  display: flex;
  justify-content: space-between;
  gap: 1rem;
  color: var(--surface-muted);
  font-size: 0.875rem;

  & > b {
    color: var(--surface-heading);
    font-weight: 600;
  }
`;

/** The figure ends where its gain ends; what it counts is at the beginning of the span. */
const Gain = styled.p<{ $end: number }>`
  display: flex;
  flex-direction: row-reverse;
  align-items: baseline;
  justify-content: space-between;
  padding-inline-end: ${({ $end }) => `${((1 - $end) * 100).toFixed(2)}%`};
  line-height: 1.25;

  & > strong {
    ${figureLook}
    font-size: ${token.figure};
  }
`;

const Caption = styled.figcaption`
  display: flex;
  gap: 1.25rem;
  align-items: start;

  & > svg {
    flex: none;
    margin-block-start: 0.375rem;
    color: var(--surface-heading);
  }

  & b {
    color: var(--surface-heading);
    font-weight: 600;
  }

  ${media.desktop} {
    flex-direction: column;
  }
`;
