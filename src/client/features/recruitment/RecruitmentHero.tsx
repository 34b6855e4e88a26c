import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { DisplayTitle } from '#client/ui/DisplayTitle.tsx';
import { Footnoted } from '#client/ui/Footnoted.tsx';
import { Container, Eyebrow, onDark } from '#client/ui/Section.tsx';
import { studyNote } from '#shared/brand/landing.ts';
import { applicationAnchor, recruitmentCalls, recruitmentHero } from '#shared/brand/recruitment.ts';
import { paths } from '#shared/paths.ts';
import { ServiceArea } from './ServiceArea.tsx';

/** One promise, two ways on, and what an applicant wants to know first. */
export function RecruitmentHero() {
  const { eyebrow, title, lead, factsLabel, facts } = recruitmentHero;
  return (
    <Band aria-labelledby="recruitment-title">
      <Layout>
        <div>
          <Eyebrow>{eyebrow}</Eyebrow>
          <Headline id="recruitment-title">{title}</Headline>
          <Sentence>{lead}</Sentence>
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
      </Layout>
    </Band>
  );
}

const Band = styled.section`
  overflow: hidden;
  background: ${token.gradient};
  ${onDark}
`;

const Layout = styled(Container)`
  display: grid;
  gap: 2.5rem;
  padding-block: 3.5rem 2rem;

  ${media.tablet} {
    grid-template-columns: minmax(0, 1fr) 15rem;
    align-items: center;
    gap: 3rem 2rem;
    padding-block: 4rem 2.5rem;
  }

  ${media.desktop} {
    grid-template-columns: minmax(0, 7fr) minmax(0, 5fr);
    gap: 2.5rem 3rem;
    padding-block: 3.5rem 2.5rem;
  }
`;

const Headline = styled(DisplayTitle)`
  max-inline-size: 9em;
`;

const Sentence = styled.p`
  max-inline-size: 30rem;
  margin-block: 1.5rem 2rem;
  font-size: ${token.textLarge};
  line-height: 1.6;
  text-wrap: pretty;
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
