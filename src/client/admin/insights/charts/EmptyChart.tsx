import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';

export interface EmptyChartCopy {
  empty: string;
  emptyText?: string;
}

/** In a chart's place: that there is nothing to draw. */
export function EmptyChart({ copy: { empty, emptyText } }: { copy: EmptyChartCopy }) {
  return (
    <Nothing>
      <p>{empty}</p>
      {emptyText === undefined ? null : <Why>{emptyText}</Why>}
    </Nothing>
  );
}

const Nothing = styled.div`
  display: grid;
  place-content: center;
  justify-items: center;
  min-block-size: 11rem;
  padding: 1.5rem;
  border: 1px dashed ${token.inputLine};
  border-radius: ${token.radius};
  color: ${token.foreground};
  text-align: center;
`;

const Why = styled.p`
  color: ${token.muted};
  font-size: 0.9375rem;
`;
