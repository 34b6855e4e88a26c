import { styled } from 'styled-components';
import { LeadSteps } from '#client/forms/lead/LeadSteps.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { Card, DisplayTitle } from '#client/ui/Section.tsx';
import { StudyNote, StudyText } from '#client/sections/kit/StudyNote.tsx';
import { FormColumns } from '#client/sections/kit/FormColumns.tsx';
import { PlainTalk } from '#client/sections/kit/PlainTalk.tsx';
import { NumberedList } from '#client/sections/kit/NumberedList.tsx';
import { useCopy } from '#client/api/tenant.tsx';
import { find as findCopy } from '#shared/brand/find.ts';

/** The form that finds the nearest provider, with the next steps beside it. */
export function FindPage() {
  const find = useCopy(findCopy);
  return (
    <Band>
      <Columns>
        <div>
          <Heading>{find.title}</Heading>
          <Sentence>{find.lead}</Sentence>
        </div>
        <Sheet>
          <LeadSteps form="find" />
        </Sheet>
        <div>
          {find.fact === '' ? null : (
            <Fact>
              <StudyText text={find.fact} />
            </Fact>
          )}
          <NextTitle>{find.nextTitle}</NextTitle>
          <Next items={find.next} />
          <Note>{find.note}</Note>
          <PlainTalk />
          <StudyNote />
        </div>
      </Columns>
    </Band>
  );
}

const Band = styled.div`
  min-block-size: 70dvh;
  background: ${token.tint};
`;

/** On a phone, the first step is in the first screen. */
const Columns = styled(FormColumns)`
  @media (max-width: 47.99em) {
    gap: 1rem;
    padding-block-start: 1rem;
  }

  ${media.desktop} {
    grid-template-rows: auto 1fr;
    gap: 2.5rem 5rem;
    align-items: normal;
  }
`;

const Heading = styled(DisplayTitle)`
  max-inline-size: 9em;
`;

const Sentence = styled.p`
  max-inline-size: 33rem;
  margin-block-start: 0.75rem;
  font-size: ${token.textLarge};
  line-height: 1.5;

  ${media.tablet} {
    margin-block-start: 1.5rem;
    line-height: inherit;
  }
`;

const Fact = styled.p`
  max-inline-size: 33rem;
  margin-block-end: 2rem;
  padding-inline-start: 1.25rem;
  border-inline-start: 3px solid ${token.accent};
  color: var(--surface-heading);
  font-weight: 500;
  line-height: 1.55;
`;

const Sheet = styled(Card)`
  align-self: start;
  padding-block-start: 1rem;

  ${media.tablet} {
    padding: 1.25rem 2.5rem 2.5rem;
  }

  ${media.desktop} {
    grid-column: 2;
    grid-row: 1 / 3;
  }
`;

const NextTitle = styled.h2`
  font-size: ${token.textLarge};
  line-height: 1.4;
`;

const Next = styled(NumberedList)`
  max-inline-size: 33rem;
  margin-block-start: 0.75rem;

  /* Without scripts both steps are one form, and nobody is named before it is sent. */
  @media (scripting: none) {
    & > :first-child {
      display: none;
    }
  }
`;

const Note = styled.p`
  max-inline-size: 33rem;
  padding-block-start: 0.875rem;
  border-block-start: 1px solid var(--surface-line);
  margin-block-end: 2rem;
  color: var(--surface-muted);
  font-size: 0.9375rem;
`;
