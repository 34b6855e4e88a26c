import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { token } from '../theme/tokens.ts';

export type BadgeTone = 'neutral' | 'brand' | 'success' | 'warning' | 'danger';

/** A small word about a thing. The tone only underlines it: the word, or an icon before it, says it too. */
export function Badge({ tone = 'neutral', children }: { tone?: BadgeTone; children: ReactNode }) {
  return <Frame $tone={tone}>{children}</Frame>;
}

const colors: Record<BadgeTone, string> = {
  neutral: token.muted,
  brand: token.secondary,
  success: token.success,
  warning: token.warning,
  danger: token.danger,
};

const Frame = styled.span<{ $tone: BadgeTone }>`
  --badge: ${({ $tone }) => colors[$tone]};
  display: inline-flex;
  align-items: center;
  gap: 0.25rem;
  padding: var(--badge-block, 0.125rem) 0.5rem;
  border: 1px solid color-mix(in srgb, var(--badge) 35%, #ffffff);
  border-radius: ${token.radius};
  color: var(--badge);
  font-size: 0.8125rem;
  font-weight: 600;
  line-height: 1.3;
  white-space: nowrap;

  & > svg {
    flex: none;
    inline-size: 0.875rem;
    block-size: 0.875rem;
  }
`;
