import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { Container } from '#client/ui/Section.tsx';
import { VisuallyHidden } from '#client/ui/text.tsx';
import { messages } from '#shared/brand/messages.ts';

/** The place of a page whose code is loading. */
export function PageSkeleton() {
  return (
    <Place>
      <VisuallyHidden as="output">{messages.loading}</VisuallyHidden>
      <Bar $inlineSize="min(100%, 22rem)" $blockSize="3rem" />
      <Bar $inlineSize="min(100%, 34rem)" $blockSize="1.25rem" />
      <Bar $inlineSize="min(100%, 34rem)" $blockSize="14rem" />
    </Place>
  );
}

const Place = styled(Container)`
  display: grid;
  gap: 1.5rem;
  padding-block: 4rem;
`;

const Bar = styled.div<{ $inlineSize: string; $blockSize: string }>`
  inline-size: ${({ $inlineSize }) => $inlineSize};
  block-size: ${({ $blockSize }) => $blockSize};
  border-radius: ${token.radius};
  background: ${token.tint};
`;
