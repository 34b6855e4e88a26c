import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { Card } from '#client/ui/Card.tsx';
import { RuledCheckList } from '#client/sections/kit/CheckList.tsx';
import { SplitSection } from '#client/sections/kit/SplitSection.tsx';
import { practiceGrowth } from '#shared/brand/recruitment.ts';

/** What a practice may gain. The note on earnings stays with the figures. */
export function PracticeGrowth() {
  const { figures, earningsNote, points } = practiceGrowth;
  return (
    <SplitSection
      copy={practiceGrowth}
      titleId="practice-growth-title"
      tone="tint"
      layout="even"
      aside={<Points items={points} />}
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

const Points = styled(RuledCheckList)`
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
