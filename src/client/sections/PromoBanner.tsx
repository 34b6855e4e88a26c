import { styled } from 'styled-components';
import { promoBanner } from '#shared/brand/hero.ts';
import { media, token } from '#client/theme/tokens.ts';
import { ArrowRight } from '#client/ui/Icon.tsx';
import { Container } from '#client/ui/Section.tsx';
import { providerFormAnchor } from '#shared/pages/paths.ts';

/** One line over the page; the whole of it is a link to the form. */
export function PromoBanner() {
  return (
    <Bar href={`#${providerFormAnchor}`}>
      <Line>
        <Pill>{promoBanner.pill}</Pill>
        <span>
          <strong>{promoBanner.line}</strong> <Detail>{promoBanner.detail}</Detail>
        </span>
        <ArrowRight />
      </Line>
    </Bar>
  );
}

const Bar = styled.a`
  display: block;
  border-block-end: 1px solid ${token.line};
  color: var(--surface-heading);
  font-size: 0.875rem;
  text-decoration: none;
  white-space: nowrap;

  &:focus-visible {
    outline-offset: -3px;
  }
`;

const Line = styled(Container)`
  display: flex;
  align-items: center;
  gap: 0.75rem;
  min-block-size: 2.25rem;

  & > svg {
    flex: none;
    inline-size: 1rem;
    color: var(--surface-link);

    @media (max-width: 63.99em) {
      margin-inline-start: auto;
    }
  }
`;

const Pill = styled.span`
  font-size: 0.75rem;
  font-weight: 650;
  letter-spacing: 0.06em;
`;

const Detail = styled.span`
  display: none;
  color: var(--surface-muted);

  ${media.tablet} {
    display: inline;
  }
`;
