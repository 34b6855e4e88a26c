import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { TitledSection } from '#client/sections/kit/TitledSection.tsx';
import { Card, figureLook, NoWrap, SmallTitle } from '#client/ui/Section.tsx';
import {
  keyPoints,
  recruitmentCalls,
  research as researchCopy,
  practiceGrowth as practiceGrowthCopy,
  getStarted as getStartedCopy,
} from '#shared/brand/recruitment.ts';
import { providerFormAnchor } from '#shared/pages/paths.ts';
import { SplitSection } from '#client/sections/kit/SplitSection.tsx';
import { useCopy } from '#client/api/tenant.tsx';
import { StudyNote, StudyText } from '#client/sections/kit/StudyNote.tsx';
import { Participants } from '#client/sections/kit/GainFigure.tsx';
import { Stations } from '#client/sections/kit/Stations.tsx';
import { RuledCheckList } from '#client/sections/kit/CheckList.tsx';

/** Why a practice joins. */
export function KeyPoints() {
  return (
    <TitledSection copy={keyPoints} titleId="key-points-title">
      <Points>
        {keyPoints.points.map(({ key, title, text }) => (
          <li key={key}>
            <SmallTitle>{title}</SmallTitle>
            <p>{text}</p>
          </li>
        ))}
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
    align-content: start;
    gap: 0.5rem;
    padding-block: 1.5rem;
    border-block-start: 1px solid var(--surface-line);
  }

  & p {
    max-inline-size: 30rem;
  }
`;

/** What the study found, and the note that every study figure of the page links to. */
export function Research() {
  const research = useCopy(researchCopy);
  return (
    <SplitSection copy={research} titleId="research-title" stackGap="2rem">
      <Facts>
        {research.facts.map(({ claim, figure, text }) => (
          <li key={claim}>
            <strong>{figure}</strong>{' '}
            <span>
              <StudyText text={text} figure={figure} claim={claim} />
            </span>
            {claim === 'participants' ? <People /> : null}
          </li>
        ))}
      </Facts>
      <ResearchNote />
    </SplitSection>
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
    ${figureLook}
    font-size: ${token.figure};
  }

  ${media.tablet} {
    column-gap: 2.5rem;
  }

  ${media.desktop} {
    grid-column: 2;
    grid-row: 1 / span 2;
  }
`;

/** On wide screens below the intro, beside the figures. */
const ResearchNote = styled(StudyNote)`
  ${media.desktop} {
    grid-column: 1;
    align-self: end;
  }
`;

const People = styled(Participants)`
  grid-column: 2;
  grid-row: 1 / 3;
  align-self: center;
`;

/** What a practice may gain. The note on earnings stays with the figures. */
export function PracticeGrowth() {
  const practiceGrowth = useCopy(practiceGrowthCopy);
  const { figures, earningsNote, points } = practiceGrowth;
  return (
    <SplitSection
      copy={practiceGrowth}
      titleId="practice-growth-title"
      layout="even"
      aside={<RuledCheckList items={points} />}
    >
      <Sheet>
        <Figures hidden={figures.length === 0}>
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
    ${figureLook}
    font-size: 2.75rem;
    white-space: nowrap;
  }
`;

/** The steps, as stations on one line. */
export function GetStarted() {
  const getStarted = useCopy(getStartedCopy);
  return (
    <TitledSection copy={getStarted} titleId="get-started-title">
      <Stations $count={3}>
        {getStarted.steps.map(({ key, title, text }) => (
          <li key={key}>
            <SmallTitle>{title}</SmallTitle>
            <p>
              <NoWrap text={text} />
            </p>
          </li>
        ))}
      </Stations>
      <ButtonLink href={`#${providerFormAnchor}`} size="large">
        {recruitmentCalls.start}
      </ButtonLink>
    </TitledSection>
  );
}
