import { styled } from 'styled-components';
import { LeadSteps } from '#client/forms/lead/LeadSteps.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { Card, Container } from '#client/ui/Section.tsx';
import { CheckList } from '#client/sections/kit/CheckList.tsx';
import { PlainTalk } from '#client/sections/kit/PlainTalk.tsx';
import { StudyNote, StudyText } from '#client/sections/kit/StudyNote.tsx';
import { useCopy } from '#client/api/tenant.tsx';
import { quiz as quizCopy } from '#shared/brand/quiz.ts';

/** One question at a time, and what a visitor should know before the answer. */
export function QuizPage() {
  const quiz = useCopy(quizCopy);
  return (
    <Band>
      <Column>
        <Heading>{quiz.title}</Heading>
        <Sentence>{quiz.lead}</Sentence>
        <Sheet>
          <LeadSteps form="quiz" />
        </Sheet>
        <Facts
          label={quiz.factsLabel}
          items={quiz.facts.map(({ text }) => text)}
          render={(text) => <StudyText text={text} />}
          strokeWidth={2}
        />
        <PlainTalk />
        <StudyNote />
      </Column>
    </Band>
  );
}

const Band = styled.div`
  min-block-size: 70dvh;
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

  /* Without scripts both steps are one form, and nobody is named before it is sent. */
  @media (scripting: none) {
    block-size: 0;
    margin-block-start: 0;
    visibility: hidden;
  }
`;

const Sheet = styled(Card)`
  padding-block-start: 1rem;

  ${media.tablet} {
    padding: 1.25rem 2.5rem 2.5rem;
  }
`;

const Facts = styled(CheckList)`
  gap: 0.625rem;
  margin-block: 2rem;
`;
