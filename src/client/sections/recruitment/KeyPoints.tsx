import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { Globe, MapPin, MessageCircle, ShieldCheck } from '#client/ui/Icon.tsx';
import { TitledSection } from '#client/sections/kit/TitledSection.tsx';
import { SmallTitle } from '#client/ui/text.tsx';
import { type KeyPoint, keyPoints, recruitmentCalls } from '#shared/brand/recruitment.ts';
import { providerFormAnchor } from '#shared/pages/paths.ts';

const icons: Record<KeyPoint, typeof Globe> = {
  demand: MessageCircle,
  site: Globe,
  map: MapPin,
  independence: ShieldCheck,
};

/** Why a practice joins. */
export function KeyPoints() {
  return (
    <TitledSection copy={keyPoints} titleId="key-points-title" tone="tint">
      <Points>
        {keyPoints.points.map(({ key, title, text }) => {
          const PointIcon = icons[key];
          return (
            <li key={key}>
              <PointIcon strokeWidth={1.5} />
              <SmallTitle>{title}</SmallTitle>
              <p>{text}</p>
            </li>
          );
        })}
      </Points>
      <ButtonLink href={`#${providerFormAnchor}`} size="large">
        {recruitmentCalls.apply}
      </ButtonLink>
    </TitledSection>
  );
}

const Points = styled.ul`
  display: grid;
  margin-block: 2.5rem 3rem;

  ${media.tablet} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
    column-gap: 2rem;
  }

  ${media.desktop} {
    column-gap: 5rem;
  }

  & > li {
    display: grid;
    grid-template-columns: 2rem minmax(0, 1fr);
    align-content: start;
    gap: 0.5rem 1.25rem;
    padding-block: 1.75rem;
    border-block-start: 1px solid var(--surface-line);
  }

  & svg {
    inline-size: 2rem;
    block-size: 2rem;
    color: ${token.secondary};
  }

  & h3 {
    align-self: center;
  }

  & p {
    grid-column: 2;
    max-inline-size: 30rem;
  }
`;
