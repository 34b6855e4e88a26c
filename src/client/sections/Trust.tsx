import { styled } from 'styled-components';
import { useCopy } from '#client/api/tenant.tsx';
import { trust as trustCopy } from '#shared/brand/landing.ts';
import { media } from '#client/theme/tokens.ts';
import { SmallTitle } from '#client/ui/Section.tsx';
import { StudyNote, StudyText } from '#client/sections/kit/StudyNote.tsx';
import { Noted } from '#client/sections/kit/marginNotes.ts';
import { TitledSection } from '#client/sections/kit/TitledSection.tsx';

/** Three reasons, and the note that every study figure of the page links to. */
export function Trust() {
  const trust = useCopy(trustCopy);
  return (
    <TitledSection copy={trust} titleId="what-is-title">
      <Noted>
        <Reasons>
          {trust.reasons.map(({ key, title, text }) => (
            <li key={key}>
              <SmallTitle>{title}</SmallTitle>
              <p>
                <StudyText text={text} />
              </p>
            </li>
          ))}
        </Reasons>
        <Note />
      </Noted>
    </TitledSection>
  );
}

/** Its line is the first reason's. */
const Note = styled(StudyNote)`
  ${media.desktop} {
    margin-block-start: 2rem;
  }
`;

const Reasons = styled.ul`
  margin-block: 1.25rem 1rem;

  & > li {
    display: grid;
    gap: 0.375rem 2rem;
    padding-block: 1rem;
    border-block-start: 1px solid var(--surface-line);

    ${media.tablet} {
      grid-template-columns: minmax(0, 4fr) minmax(0, 7fr);
      align-items: baseline;
      padding-block: 1.75rem;
    }
  }

  & p {
    max-inline-size: 38rem;
  }
`;
