import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { Card } from '#client/ui/Card.tsx';
import { Check } from '#client/ui/Icon.tsx';
import { Eyebrow, Lead, Section, Title } from '#client/ui/Section.tsx';
import { practiceGrowth } from '#shared/brand/recruitment.ts';

/** What a practice may gain. The note on earnings belongs to the figures and never leaves them. */
export function PracticeGrowth() {
  const { id, eyebrow, title, lead, figures, earningsNote, points } = practiceGrowth;
  return (
    <Section id={id} tone="tint" labelledBy="practice-growth-title">
      <Columns>
        <div>
          <Eyebrow>{eyebrow}</Eyebrow>
          <Title id="practice-growth-title">{title}</Title>
          <Lead>{lead}</Lead>
          <Points>
            {points.map((point) => (
              <li key={point}>
                <Check strokeWidth={2.25} />
                {point}
              </li>
            ))}
          </Points>
        </div>
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
      </Columns>
    </Section>
  );
}

const Columns = styled.div`
  display: grid;
  gap: 2.5rem;

  ${media.desktop} {
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    gap: 5rem;
    align-items: center;
  }
`;

const Points = styled.ul`
  margin-block-start: 2rem;

  & > li {
    display: grid;
    grid-template-columns: 1.25rem minmax(0, 1fr);
    gap: 0.875rem;
    padding-block: 0.875rem;
    border-block-start: 1px solid var(--surface-line);
    line-height: 1.5;
  }

  & > li > svg {
    inline-size: 1.25rem;
    block-size: 1.5rem;
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
    text-wrap: pretty;
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
    font-weight: 700;
    letter-spacing: -0.03em;
    line-height: 1.1;
    white-space: nowrap;
  }
`;
