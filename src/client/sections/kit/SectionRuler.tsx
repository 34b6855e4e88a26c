import { styled } from 'styled-components';
import { chrome } from '#shared/brand/chrome.ts';
import { notPrinted, token } from '#client/theme/tokens.ts';

interface SectionRulerProps {
  /** In the order of the page. */
  sections: readonly { id: string; eyebrow: string }[];
}

/**
 * A fine line in the left margin of wide screens with a tick per section. Each tick is a link whose name shows while
 * the ruler has the pointer or the focus. Browsers that know `scroll-target-group` mark the current section themselves.
 */
export function SectionRuler({ sections }: SectionRulerProps) {
  return (
    <Ruler aria-label={chrome.ruler}>
      <ol>
        {sections.map(({ id, eyebrow }) => (
          <li key={id}>
            <a href={`#${id}`}>
              <span>{eyebrow}</span>
            </a>
          </li>
        ))}
      </ol>
    </Ruler>
  );
}

const Ruler = styled.nav`
  display: none;
  ${notPrinted}

  @media (min-width: 64em) and (min-height: 30.01em) {
    position: fixed;
    inset: calc(var(--header-size) + 2rem) auto 2rem 0;
    z-index: 10;
    display: block;
    pointer-events: none;
  }

  & ol {
    display: flex;
    flex-direction: column;
    justify-content: space-between;
    block-size: 100%;
    inline-size: 1.5rem;
    border-inline-end: 1px solid ${token.line};
    pointer-events: auto;
    scroll-target-group: auto;
  }

  & a {
    position: relative;
    display: flex;
    align-items: center;
    block-size: 2.75rem;
    color: ${token.ink};
    font-size: 0.8125rem;
    line-height: 1;
    text-decoration: none;
  }

  & a::before {
    position: absolute;
    inset-inline-end: -1px;
    inline-size: 0.5625rem;
    border-block-start: 1px solid ${token.inputLine};
    content: '';
  }

  & a:target-current::before {
    inline-size: 0.875rem;
    border-block-start: 2px solid ${token.ink};
  }

  & span {
    position: absolute;
    inset-inline-start: 1.75rem;
    padding: 0.375rem 0.5rem;
    background: ${token.background};
    white-space: nowrap;
  }

  &:not(:hover, :focus-within) span {
    clip-path: inset(50%);
  }

  & a:hover span {
    text-decoration: underline;
  }
`;
