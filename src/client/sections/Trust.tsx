import { styled } from 'styled-components';
import { type ReasonKey, studyNote, trust } from '#shared/brand/landing.ts';
import { media, token } from '#client/theme/tokens.ts';
import { Card } from '#client/ui/Card.tsx';
import { Footnote } from '#client/ui/Footnote.tsx';
import { Footnoted } from '#client/ui/Footnoted.tsx';
import { FlaskConical, ShieldCheck, Stethoscope } from '#client/ui/Icon.tsx';
import { Eyebrow, Lead, Section, Title } from '#client/ui/Section.tsx';
import { SmallTitle } from '#client/ui/SmallTitle.tsx';

const icons: Record<ReasonKey, typeof FlaskConical> = {
  proven: FlaskConical,
  recommended: Stethoscope,
  nonSurgical: ShieldCheck,
};

/** Three reasons, and the note that every study figure of the page points to. */
export function Trust() {
  return (
    <Section id={trust.id} tone="tint" labelledBy="what-is-title">
      <Eyebrow>{trust.eyebrow}</Eyebrow>
      <Title id="what-is-title">{trust.title}</Title>
      <Lead>{trust.lead}</Lead>
      <Reasons>
        {trust.reasons.map(({ key, title, text }) => {
          const ReasonIcon = icons[key];
          return (
            <Reason key={key}>
              <Disc>
                <ReasonIcon strokeWidth={1.5} />
              </Disc>
              <Name>{title}</Name>
              <p>
                <Footnoted text={text} noteId={studyNote.id} markLabel={studyNote.markLabel} />
              </p>
            </Reason>
          );
        })}
      </Reasons>
      <Footnote id={studyNote.id} mark={studyNote.mark} text={studyNote.text} />
    </Section>
  );
}

const Reasons = styled.ul`
  display: grid;
  gap: 1rem;
  margin: 3rem 0 2rem;
  padding: 0;
  list-style: none;

  ${media.desktop} {
    grid-template-columns: repeat(3, minmax(0, 1fr));
    gap: 1.5rem;
  }
`;

/** On tablets a row, as three columns would leave its text four words a line. */
const Reason = styled(Card).attrs({ as: 'li' })`
  ${media.tablet} {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    column-gap: 1.5rem;
  }

  ${media.desktop} {
    display: block;
  }
`;

const Disc = styled.span`
  display: grid;
  place-items: center;
  inline-size: 3.5rem;
  aspect-ratio: 1;
  border-radius: ${token.pill};
  background: ${token.tint};
  color: ${token.secondary};

  & > svg {
    inline-size: 1.75rem;
  }

  ${media.tablet} {
    grid-row: span 2;
  }
`;

const Name = styled(SmallTitle)`
  margin-block: 1.25rem 0.5rem;

  ${media.tablet} {
    margin-block-start: 0;
  }

  ${media.desktop} {
    margin-block-start: 1.25rem;
  }
`;
