import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { VisuallyHidden } from '#client/ui/Section.tsx';

/** The placeholder of a chart, with its height. */
export function CardSkeleton({ label }: { label: string }) {
  return (
    <div aria-busy="true" data-skeleton="">
      <VisuallyHidden as="output">{label}</VisuallyHidden>
      <ChartPlaceholder />
    </div>
  );
}

const ChartPlaceholder = styled.div`
  block-size: 20rem;
  border-radius: ${token.radius};
  background: ${token.tint};
`;
