import { styled } from 'styled-components';
import { LeadSteps } from '#client/forms/lead/LeadSteps.tsx';
import { useTenant } from '#client/api/tenant.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { Card } from '#client/ui/Card.tsx';
import { Footnote } from '#client/ui/Footnote.tsx';
import { Footnoted } from '#client/ui/Footnoted.tsx';
import { Check } from '#client/ui/Icon.tsx';
import { Container, onDark } from '#client/ui/Section.tsx';
import { studyNote } from '#shared/brand/calls.ts';
import { quiz } from '#shared/brand/quiz.ts';

/** One question at a time, and nothing else on the page. */
export function QuizPage() {
  const site = useTenant() === null ? 'brand' : 'provider';
  return (
    <Band>
      <Column>
        <Heading>{quiz.title[site]}</Heading>
        <Sentence>{quiz.lead[site]}</Sentence>
        <Sheet>
          <LeadSteps form="quiz" />
        </Sheet>
        <Facts aria-label={quiz.factsLabel}>
          {quiz.facts.map(({ key, text }) => (
            <li key={key}>
              <Check strokeWidth={2} />
              <span>
                <Footnoted text={text} noteId={studyNote.id} markLabel={studyNote.markLabel} />
              </span>
            </li>
          ))}
        </Facts>
        <Footnote id={studyNote.id} mark={studyNote.mark} text={studyNote.text} />
      </Column>
    </Band>
  );
}

const Band = styled.div`
  min-block-size: 70dvh;
  background: ${token.gradient};
  ${onDark}
`;

const Column = styled(Container)`
  max-inline-size: 34rem;
  padding-block: 2.5rem 4rem;

  ${media.tablet} {
    padding-block: 4rem 5rem;
  }
`;

const Heading = styled.h1`
  font-size: clamp(${token.title}, 1.25rem + 2.5vw, 2.75rem);
  letter-spacing: -0.025em;
  line-height: 1.1;
`;

const Sentence = styled.p`
  margin-block: 1rem 2rem;
  font-size: ${token.textLarge};
`;

const Sheet = styled(Card)`
  padding-block-start: 1rem;

  ${media.tablet} {
    padding: 1.25rem 2.5rem 2.5rem;
  }
`;

const Facts = styled.ul`
  display: grid;
  gap: 0.625rem;
  margin-block: 2rem;

  & > li {
    display: grid;
    grid-template-columns: 1.25rem minmax(0, 1fr);
    gap: 0.75rem;
    line-height: 1.5;
  }

  & > li > svg {
    inline-size: 1.25rem;
    block-size: 1.5em;
  }
`;
