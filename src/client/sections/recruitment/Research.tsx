import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { Footnoted } from '#client/ui/Footnoted.tsx';
import { Eyebrow, Lead, Section, Title } from '#client/ui/Section.tsx';
import { studyNote } from '#shared/brand/landing.ts';
import { research } from '#shared/brand/recruitment.ts';
import { Participants } from './Participants.tsx';

/** What the study found, and the note that every study figure of the page points to. */
export function Research() {
  return (
    <Section id={research.id} tone="dark" labelledBy="research-title">
      <Columns>
        <div>
          <Eyebrow>{research.eyebrow}</Eyebrow>
          <Title id="research-title">{research.title}</Title>
          <Lead>{research.lead}</Lead>
        </div>
        <Facts>
          {research.facts.map(({ claim, figure, text }) => (
            <li key={claim}>
              <strong>{figure}</strong>{' '}
              <span>
                <Footnoted text={text} noteId={studyNote.id} markLabel={studyNote.markLabel} />
              </span>
              {claim === 'participants' ? <Participants /> : null}
            </li>
          ))}
        </Facts>
      </Columns>
      <Note id={studyNote.id}>
        <sup>{studyNote.mark}</sup> {studyNote.text}
      </Note>
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

/** The first figure says whose the others are, and takes the whole line. */
const Facts = styled.ul`
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  column-gap: 1.5rem;

  & > li {
    display: grid;
    align-content: start;
    gap: 0.5rem;
    padding-block: 1.5rem;
    border-block-start: 1px solid var(--surface-line);
    line-height: 1.4;
  }

  & > li:first-child {
    grid-column: 1 / -1;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    column-gap: inherit;
  }

  & strong {
    color: var(--surface-heading);
    font-size: ${token.display};
    font-weight: 700;
    letter-spacing: -0.03em;
    line-height: 1;
  }

  ${media.tablet} {
    column-gap: 2.5rem;
  }
`;

const Note = styled.p`
  max-inline-size: 38rem;
  margin-block-start: 2rem;
  color: var(--surface-muted);
  font-size: 0.9375rem;
  line-height: 1.5;
  scroll-margin-block-start: calc(var(--header-size) + 2rem);

  & > sup {
    font-size: 0.75em;
    line-height: 0;
  }
`;
