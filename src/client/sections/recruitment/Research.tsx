import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { SplitSection } from '#client/sections/kit/SplitSection.tsx';
import { StudyNote, StudyText } from '#client/sections/kit/StudyNote.tsx';
import { studyParticipants } from '#shared/brand/measures.ts';
import { research } from '#shared/brand/recruitment.ts';

const dotsPerRow = 8;
const dotGap = 14;

/** What the study found, and the note that every study figure of the page links to. */
export function Research() {
  return (
    <SplitSection copy={research} titleId="research-title" tone="dark" after={<Note />}>
      <Facts>
        {research.facts.map(({ claim, figure, text }) => (
          <li key={claim}>
            <strong>{figure}</strong>{' '}
            <span>
              <StudyText text={text} figure={figure} />
            </span>
            {claim === 'participants' ? <Participants /> : null}
          </li>
        ))}
      </Facts>
    </SplitSection>
  );
}

/** One dot per participant; the figure beside it says how many. */
function Participants() {
  const dots = Array.from({ length: studyParticipants }, (_, index) => index);
  return (
    <Dots
      viewBox={`0 0 ${dotsPerRow * dotGap} ${Math.ceil(studyParticipants / dotsPerRow) * dotGap}`}
      aria-hidden="true"
    >
      {dots.map((index) => (
        <circle
          key={index}
          cx={(index % dotsPerRow) * dotGap + dotGap / 2}
          cy={Math.floor(index / dotsPerRow) * dotGap + dotGap / 2}
          r="4"
        />
      ))}
    </Dots>
  );
}

/** The first figure names the participants, and spans the whole line. */
const Facts = styled.ul`
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  column-gap: 1.5rem;

  & > li {
    display: grid;
    align-content: start;
    gap: 0.5rem;
    padding-block: 1.5rem;
    border-block-start: 1px solid var(--surface-line);
    line-height: 1.4;
  }

  & > li:first-child {
    grid-column: 1 / -1;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    column-gap: inherit;
  }

  & strong {
    color: var(--surface-heading);
    font-size: ${token.display};
    font-weight: 700;
    letter-spacing: -0.03em;
    line-height: 1;
  }

  ${media.tablet} {
    column-gap: 2.5rem;
  }
`;

const Note = styled(StudyNote)`
  margin-block-start: 2rem;
`;

const Dots = styled.svg`
  grid-column: 2;
  grid-row: 1 / 3;
  align-self: center;
  inline-size: min(100%, 11rem);
  fill: color-mix(in srgb, ${token.accent} 55%, #ffffff);

  @media (forced-colors: active) {
    fill: CanvasText;
  }
`;
