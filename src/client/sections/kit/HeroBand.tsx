import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { Container, DisplayTitle, figureLook } from '#client/ui/Section.tsx';
import type { StudyFact } from '#shared/brand/hero.ts';
import { StudyText } from './StudyNote.tsx';

/** The top of a page: the headline over all columns, text beside a figure, facts below. Narrow screens stack them. */
export const HeroLayout = styled(Container).attrs({ as: 'section' })`
  display: grid;
  gap: 2.5rem;
  padding-block: 1rem 3rem;

  ${media.desktop} {
    grid-template-columns: minmax(0, 4fr) minmax(0, 7fr);
    gap: 3rem 5rem;
    padding-block-end: ${token.sectionSpace};
  }
`;

/** On a phone, each sentence has a line. */
export const HeroTitle = styled(DisplayTitle)`
  margin-block-end: -1.5rem;

  ${media.desktop} {
    grid-column: 1 / -1;
    margin-block-end: 0;
  }
`;

/** The one sentence under the headline. */
export const HeroSentence = styled.p`
  max-inline-size: 30rem;
  margin-block: 1.25rem 1.5rem;

  &:first-child {
    margin-block-start: 0;
  }

  font-size: ${token.textLarge};
`;

interface HeroFactsProps {
  /** Names the list for screen readers. */
  label: string;
  facts: readonly StudyFact[];
  className?: string;
}

/** Figures in one row below the text and the drawing. */
export function HeroFacts({ label, facts, className }: HeroFactsProps) {
  if (facts.length === 0) return null;
  return (
    <Facts aria-label={label === '' ? undefined : label} className={className}>
      {facts.map(({ claim, figure, text }) => (
        <li key={text}>
          <strong>{figure}</strong>{' '}
          <span>
            <StudyText text={text} figure={figure} claim={claim} />
          </span>
        </li>
      ))}
    </Facts>
  );
}

/** In one row, also on a phone, where each text is below its figure. */
const Facts = styled.ul`
  display: grid;
  grid-template-columns: repeat(3, minmax(0, 1fr));
  gap: 0.75rem;

  & > li {
    padding-block-start: 0.5rem;
    border-block-start: 1px solid var(--surface-line);
    font-size: 0.9375rem;
    line-height: 1.4;
  }

  & > li > strong {
    color: var(--surface-heading);
    ${figureLook}
    display: block;
    font-size: 2rem;
  }

  ${media.tablet} {
    grid-column: 1 / -1;
    gap: 2rem;

    & > li {
      display: grid;
      grid-template-columns: auto minmax(0, 1fr);
      align-items: baseline;
      gap: 0.75rem;
      padding-block-start: 1rem;
      font-size: inherit;
    }
  }
`;
