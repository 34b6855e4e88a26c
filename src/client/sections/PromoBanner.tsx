import { styled } from 'styled-components';
import { promoBanner } from '#shared/brand/hero.ts';
import { media, token } from '#client/theme/tokens.ts';
import { ArrowRight } from '#client/ui/Icon.tsx';
import { providerFormAnchor } from '#shared/pages/paths.ts';

/** The bar over the page; the whole of it is one link to the form. */
export function PromoBanner() {
  return (
    <Bar href={`#${providerFormAnchor}`}>
      <Pill>{promoBanner.pill}</Pill>
      <span>
        <Line>{promoBanner.line}</Line> <Detail>{promoBanner.detail}</Detail>
      </span>
      <ArrowRight />
    </Bar>
  );
}

const Bar = styled.a`
  display: flex;
  align-items: center;
  justify-content: center;
  gap: 0.75rem;
  min-block-size: 3rem;
  padding: 0.5rem 1.25rem;
  background: ${token.tint};
  color: ${token.foreground};
  line-height: 1.3;
  text-decoration: none;

  & > svg {
    flex: none;
    inline-size: 1.125rem;
    color: ${token.secondary};
    transition: transform ${token.transition};
  }

  &:hover > svg {
    transform: translateX(4px);
  }

  &:focus-visible {
    outline: 3px solid ${token.accent};
    outline-offset: -3px;
  }

  ${media.reducedMotion} {
    & > svg {
      transition: none;
    }
  }
`;

const Pill = styled.span`
  padding: 0.1875rem 0.625rem;
  border-radius: ${token.pill};
  background: ${token.primary};
  color: ${token.background};
  font-size: 0.8125rem;
  font-weight: 700;
  letter-spacing: 0.04em;
  line-height: 1.2;
`;

const Line = styled.strong`
  color: ${token.primary};
`;

const Detail = styled.span`
  display: none;

  ${media.tablet} {
    display: inline;
  }
`;
