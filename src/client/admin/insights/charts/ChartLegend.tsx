import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';

export interface LegendItem {
  key: string;
  label: string;
  /** Shown after the label: a total. */
  figure?: string;
  color: string;
  /** The mark: a block, a striped block, a line or a dashed line. */
  mark: 'block' | 'striped' | 'line' | 'dashed';
}

/** The names of the marks, in the order of the stack from the bottom up. */
export function ChartLegend({ items }: { items: readonly LegendItem[] }) {
  return (
    <List>
      {items.map(({ key, label, figure, color, mark }) => (
        <li key={key}>
          <Mark color={color} mark={mark} />
          <span>{label}</span>
          {figure === undefined ? null : <strong>{figure}</strong>}
        </li>
      ))}
    </List>
  );
}

/** The same mark in a legend and in a tooltip. */
export function Mark({ color, mark }: Pick<LegendItem, 'color' | 'mark'>) {
  if (mark === 'line' || mark === 'dashed')
    return (
      <Sign viewBox="0 0 20 12" aria-hidden="true" $isWide>
        <path
          d="M1 6h18"
          stroke={color}
          strokeWidth="2.5"
          strokeLinecap={mark === 'line' ? 'round' : 'butt'}
          strokeDasharray={mark === 'dashed' ? '5 3' : undefined}
        />
      </Sign>
    );
  return (
    <Sign viewBox="0 0 12 12" aria-hidden="true">
      <rect width="12" height="12" rx="3" fill={color} />
      {mark === 'striped' ? <path d="M1 9 9 1M4 12 12 4" stroke="#ffffff" strokeWidth="1.5" /> : null}
    </Sign>
  );
}

const List = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem 1.125rem;
  min-block-size: 1.25rem;
  font-size: 0.8125rem;
  font-variant-numeric: tabular-nums;
  line-height: 1.4;

  & > li {
    display: flex;
    align-items: center;
    gap: 0.4375rem;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }

  & strong {
    color: ${token.primary};
    font-weight: 600;
  }
`;

const Sign = styled.svg<{ $isWide?: boolean }>`
  flex: none;
  inline-size: ${({ $isWide = false }) => ($isWide ? '1.25rem' : '0.75rem')};
  block-size: 0.75rem;
`;
