import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { DisplayTitle } from '#client/ui/DisplayTitle.tsx';
import { Footnoted } from '#client/ui/Footnoted.tsx';
import { HeroBand, HeroLayout, HeroSentence } from '#client/ui/HeroBand.tsx';
import { Eyebrow } from '#client/ui/Section.tsx';
import { studyNote } from '#shared/brand/landing.ts';
import { applicationAnchor, recruitmentCalls, recruitmentHero } from '#shared/brand/recruitment.ts';
import { paths } from '#shared/pages/paths.ts';
import { ServiceArea } from './ServiceArea.tsx';

/** One promise, two ways on, and what an applicant wants to know first. */
export function RecruitmentHero() {
  const { eyebrow, title, lead, factsLabel, facts } = recruitmentHero;
  return (
    <HeroBand aria-labelledby="recruitment-title">
      <HeroLayout>
        <div>
          <Eyebrow>{eyebrow}</Eyebrow>
          <Headline id="recruitment-title">{title}</Headline>
          <HeroSentence>{lead}</HeroSentence>
          <Calls>
            <ButtonLink href={`#${applicationAnchor}`} size="large">
              {recruitmentCalls.become}
            </ButtonLink>
            <ButtonLink href={paths.map} size="large" variant="secondary">
              {recruitmentCalls.viewMap}
            </ButtonLink>
          </Calls>
        </div>
        <ServiceArea />
        <Facts aria-label={factsLabel}>
          {facts.map(({ claim, figure, text }) => (
            <li key={claim}>
              <Figure>{figure}</Figure>{' '}
              <span>
                <Footnoted text={text} noteId={studyNote.id} markLabel={studyNote.markLabel} />
              </span>
            </li>
          ))}
        </Facts>
      </HeroLayout>
    </HeroBand>
  );
}

const Headline = styled(DisplayTitle)`
  max-inline-size: 9em;
`;

const Calls = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0.75rem;

  & > a {
    flex: 1 1 14rem;

    ${media.tablet} {
      flex: 0 1 14rem;
    }
  }
`;

const Facts = styled.ul`
  display: grid;

  ${media.tablet} {
    grid-column: 1 / -1;
    grid-template-columns: repeat(3, minmax(0, 1fr));
    gap: 2rem;
  }

  & > li {
    display: grid;
    align-content: start;
    gap: 0.25rem;
    padding-block: 1rem;
    border-block-start: 1px solid var(--surface-line);
    line-height: 1.4;

    ${media.tablet} {
      padding-block: 1.5rem 0;
    }
  }
`;

const Figure = styled.strong`
  color: var(--surface-heading);
  font-size: ${token.title};
  font-weight: 700;
  letter-spacing: -0.02em;
  line-height: 1.1;
`;
