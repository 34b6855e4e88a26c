import { styled } from 'styled-components';
import { useCopy } from '#client/api/tenant.tsx';
import { faq } from '#shared/brand/landing.ts';
import { plainTalk } from '#shared/brand/trust/plainTalk.ts';
import { plainTalkAnchor } from '#shared/pages/paths.ts';
import { Accordion } from '#client/sections/kit/Accordion.tsx';
import { SplitSection } from '#client/sections/kit/SplitSection.tsx';
import { StudyText } from '#client/sections/kit/StudyNote.tsx';

interface FaqCopy {
  id: string;
  eyebrow: string;
  title: string;
  lead: string;
  /** `hasPlainTalk`: the answer ends with a link to the plain talk beside the form. */
  items: readonly { question: string; answer: readonly string[]; hasPlainTalk?: boolean }[];
}

interface FaqSectionProps {
  copy?: FaqCopy;
  /** Answer to the last question, how to get started, where it differs. */
  startAnswer?: readonly string[];
}

export function FaqSection({ copy = faq, startAnswer }: FaqSectionProps) {
  const last = copy.items.at(-1)?.question;
  const items = useCopy(copy.items).map(({ question, answer, hasPlainTalk = false }, index) => ({
    id: `item-${index}`,
    title: question,
    content: (
      <>
        {(question === last ? (startAnswer ?? answer) : answer).map((paragraph) => (
          <Paragraph key={paragraph}>
            <StudyText text={paragraph} />
          </Paragraph>
        ))}
        {hasPlainTalk ? (
          <Paragraph>
            <a href={`#${plainTalkAnchor}`}>{plainTalk.title}</a>
          </Paragraph>
        ) : null}
      </>
    ),
  }));
  return (
    <SplitSection copy={copy} titleId="faq-title" stackGap="1.25rem">
      <Accordion items={items} />
    </SplitSection>
  );
}

const Paragraph = styled.p`
  & + & {
    margin-block-start: 0.75rem;
  }
`;
