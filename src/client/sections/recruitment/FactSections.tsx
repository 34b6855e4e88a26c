import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { Globe, MapPin, MessageCircle, ShieldCheck } from '#client/ui/Icon.tsx';
import { TitledSection } from '#client/sections/kit/TitledSection.tsx';
import { SmallTitle, Card, NoWrap } from '#client/ui/Section.tsx';
import {
  type KeyPoint,
  keyPoints,
  recruitmentCalls,
  research,
  practiceGrowth,
  getStarted,
} from '#shared/brand/recruitment.ts';
import { providerFormAnchor } from '#shared/pages/paths.ts';
import { SplitSection } from '#client/sections/kit/SplitSection.tsx';
import { StudyNote, StudyText } from '#client/sections/kit/StudyNote.tsx';
import { studyParticipants } from '#shared/brand/measures.ts';
import { RuledCheckList } from '#client/sections/kit/CheckList.tsx';

const icons: Record<KeyPoint, typeof Globe> = {
  demand: MessageCircle,
  site: Globe,
  map: MapPin,
  independence: ShieldCheck,
};

/** Why a practice joins. */
export function KeyPoints() {
  return (
    <TitledSection copy={keyPoints} titleId="key-points-title">
      <Points>
        {keyPoints.points.map(({ key, title, text }) => {
          const PointIcon = icons[key];
          return (
            <li key={key}>
              <PointIcon strokeWidth={1.5} />
              <SmallTitle>{title}</SmallTitle>
              <p>{text}</p>
            </li>
          );
        })}
      </Points>
      <ButtonLink href={`#${providerFormAnchor}`} size="large">
        {recruitmentCalls.apply}
      </ButtonLink>
    </TitledSection>
  );
}

const Points = styled.ul`
  display: grid;
  margin-block: 2.5rem 3rem;

  ${media.tablet} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
    column-gap: 2rem;
  }

  ${media.desktop} {
    column-gap: 5rem;
  }

  & > li {
    display: grid;
    grid-template-columns: 2rem minmax(0, 1fr);
    align-content: start;
    gap: 0.5rem 1.25rem;
    padding-block: 1.75rem;
    border-block-start: 1px solid var(--surface-line);
  }

  & svg {
    inline-size: 2rem;
    block-size: 2rem;
    color: ${token.secondary};
  }

  & h3 {
    align-self: center;
  }

  & p {
    grid-column: 2;
    max-inline-size: 30rem;
  }
`;

const dotsPerRow = 8;
const dotGap = 14;

/** What the study found, and the note that every study figure of the page links to. */
export function Research() {
  return (
    <SplitSection copy={research} titleId="research-title" after={<ResearchNote />}>
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

const ResearchNote = styled(StudyNote)`
  margin-block-start: 2rem;
`;

const Dots = styled.svg`
  grid-column: 2;
  grid-row: 1 / 3;
  align-self: center;
  inline-size: min(100%, 11rem);
  fill: color-mix(in srgb, ${token.accent} 55%, currentcolor);

  @media (forced-colors: active) {
    fill: CanvasText;
  }
`;

/** What a practice may gain. The note on earnings stays with the figures. */
export function PracticeGrowth() {
  const { figures, earningsNote, points } = practiceGrowth;
  return (
    <SplitSection
      copy={practiceGrowth}
      titleId="practice-growth-title"
      layout="even"
      aside={<GrowthPoints items={points} />}
    >
      <Sheet>
        <Figures>
          {figures.map(({ claim, figure, text }) => (
            <li key={claim}>
              <strong>{figure}</strong> <span>{text}</span>
            </li>
          ))}
        </Figures>
        <p>{earningsNote}</p>
      </Sheet>
    </SplitSection>
  );
}

const GrowthPoints = styled(RuledCheckList)`
  & > li > svg {
    color: ${token.secondary};
  }
`;

const Sheet = styled(Card)`
  & > p {
    padding-block-start: 1.25rem;
    border-block-start: 1px solid var(--surface-line);
    color: var(--surface-muted);
    font-size: 0.9375rem;
    line-height: 1.55;
  }
`;

const Figures = styled.ul`
  display: grid;
  gap: 1.5rem;
  padding-block-end: 1.75rem;

  ${media.tablet} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }

  & > li {
    display: grid;
    gap: 0.25rem;
    line-height: 1.4;
  }

  & strong {
    color: var(--surface-heading);
    font-size: 2.75rem;
    letter-spacing: -0.03em;
    line-height: 1.1;
    white-space: nowrap;
  }
`;

/** The steps, as stations on one line. */
export function GetStarted() {
  return (
    <TitledSection copy={getStarted} titleId="get-started-title">
      <Steps>
        {getStarted.steps.map(({ key, title, text }, index) => (
          <Step key={key}>
            <Station aria-hidden="true">{index + 1}</Station>
            <div>
              <SmallTitle>{title}</SmallTitle>
              <p>
                <NoWrap text={text} />
              </p>
            </div>
          </Step>
        ))}
      </Steps>
      <ButtonLink href={`#${providerFormAnchor}`} size="large">
        {recruitmentCalls.start}
      </ButtonLink>
    </TitledSection>
  );
}

const Steps = styled.ol`
  display: grid;
  margin-block: 3rem;

  ${media.tablet} {
    grid-template-columns: repeat(3, minmax(0, 1fr));
  }
`;

/** The line runs down on a phone, across on wider screens, and ends at the last station. */
const Step = styled.li`
  position: relative;
  display: grid;
  grid-template-columns: 3rem minmax(0, 1fr);
  gap: 1.25rem;
  padding-block-end: 2.5rem;

  &:not(:last-child)::before {
    position: absolute;
    inset-block: 3rem 0;
    inset-inline-start: 1.5rem;
    border-inline-start: 2px dotted ${token.accent};
    content: '';
  }

  &:last-child {
    padding-block-end: 0;
  }

  & p {
    max-inline-size: 26rem;
    margin-block-start: 0.5rem;
  }

  ${media.tablet} {
    display: block;
    padding-block-end: 0;
    padding-inline-end: 2rem;

    &:not(:last-child)::before {
      inset-block: 1.5rem auto;
      inset-inline: 3.75rem 0.75rem;
      border-block-start: 2px dotted ${token.accent};
      border-inline-start: 0;
    }

    & h3 {
      margin-block-start: 1.5rem;
    }
  }
`;

const Station = styled.span`
  display: grid;
  place-items: center;
  inline-size: 3rem;
  aspect-ratio: 1;
  border-radius: ${token.pill};
  background: ${token.primary};
  color: ${token.background};
  font-size: ${token.textLarge};
  font-variant-numeric: tabular-nums;
  font-weight: 700;
`;
