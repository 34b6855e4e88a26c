import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { StudyNote } from '#client/sections/kit/StudyNote.tsx';
import { TitledSection } from '#client/sections/kit/TitledSection.tsx';
import { SmallTitle } from '#client/ui/text.tsx';
import { treatmentSection } from '#shared/brand/variant.ts';

/** What the treatment is, part by part, and what it is not; with the note that the page's study figures link to. */
export function Treatment() {
  const { parts, limits } = treatmentSection;
  return (
    <TitledSection copy={treatmentSection} titleId="treatment-title" tone="tint">
      <Parts>
        {parts.map((part) => (
          <li key={part.title}>
            <SmallTitle>{part.title}</SmallTitle>
            <p>{part.text}</p>
          </li>
        ))}
      </Parts>
      <Limits>
        <SmallTitle>{limits.title}</SmallTitle>
        <p>{limits.text}</p>
      </Limits>
      <StudyNote />
    </TitledSection>
  );
}

const Parts = styled.ol`
  display: grid;
  margin-block: 3rem 0;
  border-block-end: 1px solid var(--surface-line);
  counter-reset: part;

  & > li {
    display: grid;
    gap: 0.25rem 2rem;
    padding-block: 1.5rem;
    border-block-start: 1px solid var(--surface-line);
    counter-increment: part;
  }

  & > li > h3::before {
    display: inline-block;
    min-inline-size: 2.25rem;
    color: ${token.accent};
    content: counter(part);
    font-variant-numeric: tabular-nums;
  }

  & > li > p {
    max-inline-size: 38rem;
  }

  ${media.tablet} {
    & > li {
      grid-template-columns: minmax(0, 5fr) minmax(0, 8fr);
      align-items: baseline;
    }
  }
`;

const Limits = styled.div`
  max-inline-size: 46rem;
  margin-block: 2.5rem 2rem;

  & > p {
    margin-block-start: 0.5rem;
  }
`;
