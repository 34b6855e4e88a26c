import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { chrome } from '#shared/brand/chrome.ts';

/** Seen only while it has the focus; the first stop of the keyboard. */
export function SkipLink({ target }: { target: string }) {
  return <Link href={`#${target}`}>{chrome.skipLink}</Link>;
}

const Link = styled.a`
  position: fixed;
  inset-block-start: 0.5rem;
  inset-inline-start: 0.5rem;
  z-index: 40;
  padding: 0.75rem 1.25rem;
  border-radius: ${token.pill};
  background: ${token.background};
  color: ${token.primary};
  font-weight: 600;
  box-shadow: ${token.shadow};

  &:not(:focus) {
    opacity: 0;
    transform: translateY(-200%);
  }
`;
