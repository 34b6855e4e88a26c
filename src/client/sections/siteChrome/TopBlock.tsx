import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { Check } from '#client/ui/Icon.tsx';
import { Container, onDark } from '#client/ui/Section.tsx';
import { chrome } from '#shared/brand/chrome.ts';

/** The slim strip above the header: what a visitor can count on. */
export function TopBlock() {
  return (
    <Strip aria-label={chrome.topBlock.label}>
      <Container>
        <Points>
          {chrome.topBlock.points.map((point) => (
            <li key={point}>
              <Check />
              {point}
            </li>
          ))}
        </Points>
      </Container>
    </Strip>
  );
}

const Strip = styled.aside`
  ${onDark}
  background: ${token.primary};
  font-size: 0.875rem;
  line-height: 1.4;

  @media print {
    display: none;
  }
`;

const Points = styled.ul`
  display: flex;
  justify-content: center;
  gap: 0.25rem 2rem;
  padding-block: 0.5rem;

  & li {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    white-space: nowrap;
  }

  & svg {
    flex: none;
    inline-size: 1rem;
    block-size: 1rem;
    opacity: 0.8;
  }

  /* One line on a phone: the last two points wait for room. */
  & li:nth-child(n + 2) {
    display: none;
  }

  @media (min-width: 30em) {
    & li:nth-child(2) {
      display: flex;
    }
  }

  ${media.tablet} {
    & li:nth-child(n) {
      display: flex;
    }
  }
`;
