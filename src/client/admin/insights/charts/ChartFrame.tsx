import { ResponsiveContainer } from 'recharts';
import type { ReactElement } from 'react';
import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { ChartLegend, type LegendItem } from './ChartLegend.tsx';

interface ChartFrameProps {
  /** The days on the chart. */
  span: string;
  legend: readonly LegendItem[];
  /** A chart of recharts, which fills the frame. */
  children: ReactElement;
}

/** A chart below its legend. The height is fixed: another range moves nothing. */
export function ChartFrame({ span, legend, children }: ChartFrameProps) {
  return (
    <Figure>
      <ChartLegend items={legend} />
      <Place>
        <ResponsiveContainer width="100%" height="100%">
          {children}
        </ResponsiveContainer>
      </Place>
      <figcaption>{span}</figcaption>
    </Figure>
  );
}

const Figure = styled.figure`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  align-content: start;
  gap: 0.75rem;

  & > figcaption {
    color: ${token.muted};
    font-size: 0.8125rem;
    line-height: 1.4;
  }
`;

const Place = styled.div`
  block-size: 16.5rem;
  font-size: 0.8125rem;
  font-variant-numeric: tabular-nums;

  & .recharts-surface {
    overflow: visible;
  }

  & .recharts-surface:focus-visible {
    outline: 3px solid var(--focus);
    outline-offset: 4px;
  }

  & .recharts-cartesian-axis-tick-value {
    fill: ${token.muted};
  }
`;
