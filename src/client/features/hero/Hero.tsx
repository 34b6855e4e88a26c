import { styled } from 'styled-components';
import { hero, studyNote } from '#shared/brand/landing.ts';
import { media, token } from '#client/theme/tokens.ts';
import { DisplayTitle } from '#client/ui/DisplayTitle.tsx';
import { Footnoted } from '#client/ui/Footnoted.tsx';
import { Container, onDark } from '#client/ui/Section.tsx';
import { GainDial } from './GainDial.tsx';
import { StartForm } from './StartForm.tsx';

interface HeroProps {
  /** Hands a ZIP over to the lead form; false when it can't. */
  onZip: (zip: string) => boolean;
}

/** One promise, one sentence, one button, and what the study found. */
export function Hero({ onZip }: HeroProps) {
  return (
    <Band aria-labelledby="hero-title">
      <Layout>
        <div>
          <Headline id="hero-title">{hero.title}</Headline>
          <Sentence>{hero.lead}</Sentence>
          <StartForm onZip={onZip} />
        </div>
        <GainDial />
        <Facts aria-label={hero.factsLabel}>
          {hero.facts.map(({ figure, text }) => (
            <Fact key={figure}>
              <Figure>{figure}</Figure>{' '}
              <span>
                <Footnoted text={text} noteId={studyNote.id} markLabel={studyNote.markLabel} />
              </span>
            </Fact>
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
  max-inline-size: 8em;
`;

const Sentence = styled.p`
  max-inline-size: 30rem;
  margin-block: 1.5rem 2rem;
  font-size: ${token.textLarge};
  line-height: 1.6;
  text-wrap: pretty;
`;

const Facts = styled.ul`
  display: grid;
  margin: 0;
  padding: 0;
  list-style: none;

  ${media.tablet} {
    grid-column: 1 / -1;
    grid-template-columns: repeat(3, minmax(0, 1fr));
    gap: 2rem;
  }
`;

const Fact = styled.li`
  display: grid;
  grid-template-columns: 5.5rem minmax(0, 1fr);
  align-items: baseline;
  gap: 1rem;
  padding-block: 1rem;
  border-block-start: 1px solid var(--surface-line);
  line-height: 1.4;

  ${media.tablet} {
    grid-template-columns: auto;
    align-content: start;
    gap: 0.25rem;
    padding-block: 1.5rem 0;
  }

  ${media.desktop} {
    grid-template-columns: auto minmax(0, 1fr);
    gap: 1rem;
  }
`;

const Figure = styled.strong`
  color: var(--surface-heading);
  font-size: ${token.title};
  font-weight: 700;
  font-variant-numeric: tabular-nums;
  letter-spacing: -0.02em;
  line-height: 1.1;
`;
