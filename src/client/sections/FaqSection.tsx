import { styled } from 'styled-components';
import { faq, studyNote } from '#shared/brand/landing.ts';
import { media } from '#client/theme/tokens.ts';
import { Accordion } from '#client/ui/Accordion.tsx';
import { Footnoted } from '#client/ui/Footnoted.tsx';
import { Eyebrow, Lead, Section, Title } from '#client/ui/Section.tsx';

interface FaqCopy {
  id: string;
  eyebrow: string;
  title: string;
  lead: string;
  items: readonly { question: string; answer: readonly string[] }[];
}

interface FaqSectionProps {
  copy?: FaqCopy;
  /** Answer to the last question, how to get started, where it differs. */
  startAnswer?: readonly string[];
}

export function FaqSection({ copy = faq, startAnswer }: FaqSectionProps) {
  const last = copy.items.length - 1;
  const items = copy.items.map(({ question, answer }, index) => ({
    id: `item-${index}`,
    title: question,
    content: (index === last ? (startAnswer ?? answer) : answer).map((paragraph) => (
      <Paragraph key={paragraph}>
        <Footnoted text={paragraph} noteId={studyNote.id} markLabel={studyNote.markLabel} />
      </Paragraph>
    )),
  }));
  return (
    <Section id={copy.id} tone="tint" labelledBy="faq-title">
      <Columns>
        <div>
          <Eyebrow>{copy.eyebrow}</Eyebrow>
          <Title id="faq-title">{copy.title}</Title>
          <Lead>{copy.lead}</Lead>
        </div>
        <Accordion items={items} />
      </Columns>
    </Section>
  );
}

const Columns = styled.div`
  display: grid;
  gap: 2.5rem;

  ${media.desktop} {
    grid-template-columns: minmax(0, 4fr) minmax(0, 7fr);
    gap: 5rem;
  }
`;

const Paragraph = styled.p`
  line-height: 1.6;
  text-wrap: pretty;

  & + & {
    margin-block-start: 0.75rem;
  }
`;
