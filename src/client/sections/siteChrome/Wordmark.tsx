import { styled } from 'styled-components';
import { brand, wordmark } from '#shared/brand/brand.ts';
import { token } from '#client/theme/tokens.ts';

/** The brand's wordmark, in the colors of its surface. */
export function Wordmark({ className }: { className?: string }) {
  return (
    <svg
      className={className}
      viewBox={wordmark.viewBox}
      role="img"
      aria-label={brand.name}
      fill="currentColor"
    >
      <path d={wordmark.letters} />
      <DimensionLine d={wordmark.dimensionLine} />
      <path d={wordmark.registered} opacity="0.75" />
    </svg>
  );
}

const DimensionLine = styled.path`
  fill: none;
  stroke: var(--wordmark-line, ${token.accent});
  stroke-width: 2.6;
  stroke-linecap: round;
`;
