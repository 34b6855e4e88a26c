import { styled } from 'styled-components';
import { token, media } from '#client/theme/tokens.ts';
import { Skeleton } from '#client/ui/Skeleton.tsx';
import { VisuallyHidden } from '#client/ui/Section.tsx';

/** The placeholder of a chart and its table, with their height. */
export function CardSkeleton({ label }: { label: string }) {
  return (
    <TwoColumns aria-busy="true" data-skeleton="">
      <VisuallyHidden as="output">{label}</VisuallyHidden>
      <ChartPlaceholder />
      <Lines>
        <Skeleton $width="70%" />
        <Skeleton />
        <Skeleton $width="90%" />
        <Skeleton $width="80%" />
      </Lines>
    </TwoColumns>
  );
}

const ChartPlaceholder = styled.div`
  block-size: 20rem;
  border-radius: ${token.radius};
  background: ${token.tint};
`;

const Lines = styled.div`
  display: grid;
  align-content: start;
  gap: 1.5rem;
  padding-block-start: 0.75rem;
`;

/** A chart and its table: stacked, or side by side on a desktop. */
export const TwoColumns = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 1.25rem;

  ${media.desktop} {
    grid-template-columns: minmax(0, 3fr) minmax(0, 2fr);
    gap: 2rem;
  }
`;
