import { styled } from 'styled-components';
import { faq, studyNote } from '#shared/brand/landing.ts';
import { media } from '#client/theme/tokens.ts';
import { Accordion } from '#client/ui/Accordion.tsx';
import { Footnoted } from '#client/ui/Footnoted.tsx';
import { Eyebrow, Lead, Section, Title } from '#client/ui/Section.tsx';

interface FaqWords {
  id: string;
  eyebrow: string;
  title: string;
  lead: string;
  items: readonly { question: string; answer: readonly string[] }[];
}

interface FaqSectionProps {
  words?: FaqWords;
  /** Answer to the last question, how to get started, where it differs. */
  startAnswer?: readonly string[];
}

export function FaqSection({ words = faq, startAnswer }: FaqSectionProps) {
  const last = words.items.length - 1;
  const items = words.items.map(({ question, answer }, index) => ({
    id: `item-${index}`,
    title: question,
    content: (index === last ? (startAnswer ?? answer) : answer).map((paragraph) => (
      <Paragraph key={paragraph}>
        <Footnoted text={paragraph} noteId={studyNote.id} markLabel={studyNote.markLabel} />
      </Paragraph>
    )),
  }));
  return (
    <Section id={words.id} tone="tint" labelledBy="faq-title">
      <Columns>
        <div>
          <Eyebrow>{words.eyebrow}</Eyebrow>
          <Title id="faq-title">{words.title}</Title>
          <Lead>{words.lead}</Lead>
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
