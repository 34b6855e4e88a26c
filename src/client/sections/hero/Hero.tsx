import { styled } from 'styled-components';
import { hero, studyNote } from '#shared/brand/landing.ts';
import { media, token } from '#client/theme/tokens.ts';
import { DisplayTitle } from '#client/ui/DisplayTitle.tsx';
import { Footnoted } from '#client/ui/Footnoted.tsx';
import { HeroBand, HeroLayout, HeroSentence } from '#client/ui/HeroBand.tsx';
import { GainDial } from './GainDial.tsx';
import { StartForm } from './StartForm.tsx';

interface HeroProps {
  /** Hands a ZIP over to the lead form; false when it can't. */
  onZip: (zip: string) => boolean;
}

/** One promise, one sentence, one button, and what the study found. */
export function Hero({ onZip }: HeroProps) {
  return (
    <HeroBand aria-labelledby="hero-title">
      <HeroLayout>
        <div>
          <Headline id="hero-title">{hero.title}</Headline>
          <HeroSentence>{hero.lead}</HeroSentence>
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
      </HeroLayout>
    </HeroBand>
  );
}

const Headline = styled(DisplayTitle)`
  max-inline-size: 8em;
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
