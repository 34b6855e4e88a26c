import { styled } from 'styled-components';
import { type ReasonKey, trust } from '#shared/brand/landing.ts';
import { media, token } from '#client/theme/tokens.ts';
import { Card, SmallTitle } from '#client/ui/Section.tsx';
import { FlaskConical, ShieldCheck, Stethoscope } from '#client/ui/Icon.tsx';
import { StudyNote, StudyText } from '#client/sections/kit/StudyNote.tsx';
import { TitledSection } from '#client/sections/kit/TitledSection.tsx';

const icons: Record<ReasonKey, typeof FlaskConical> = {
  proven: FlaskConical,
  recommended: Stethoscope,
  nonSurgical: ShieldCheck,
};

/** Three reasons, and the note that every study figure of the page links to. */
export function Trust() {
  return (
    <TitledSection copy={trust} titleId="what-is-title">
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
                <StudyText text={text} />
              </p>
            </Reason>
          );
        })}
      </Reasons>
      <StudyNote />
    </TitledSection>
  );
}

const Reasons = styled.ul`
  display: grid;
  gap: 1rem;
  margin-block: 3rem 2rem;

  ${media.desktop} {
    grid-template-columns: repeat(3, minmax(0, 1fr));
    gap: 1.5rem;
  }
`;

/** One row on tablets, because three columns would leave four words per line. */
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
