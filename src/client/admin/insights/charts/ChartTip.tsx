import { Tooltip } from 'recharts';
import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { type LegendItem, Mark } from './ChartLegend.tsx';
import { fullDay } from '../insightDays.ts';

interface TipLine extends LegendItem {
  figure: string;
}

interface ChartTipProps {
  /** The lines of a day. */
  buildLines: (day: string) => readonly TipLine[];
  /** How the current day is marked: a band behind a bar, or a line through points. */
  cursor: 'band' | 'line';
}

const cursors = {
  band: { fill: token.secondary, fillOpacity: 0.07 },
  line: { stroke: token.inputLine, strokeWidth: 1, strokeDasharray: '3 3' },
};

/** The figures of the day under the pointer, or of the day chosen with the arrow keys. */
export function ChartTip({ buildLines, cursor }: ChartTipProps) {
  return (
    <Tooltip
      cursor={cursors[cursor]}
      isAnimationActive={false}
      offset={14}
      content={<TipRegion buildLines={buildLines} />}
    />
  );
}

interface TipRegionProps extends Pick<ChartTipProps, 'buildLines'> {
  /** Set by recharts. */
  active?: boolean;
  label?: string | number;
}

/** The live region is always present, so changes are announced. */
function TipRegion({ buildLines, active = false, label }: TipRegionProps) {
  return (
    <div aria-live="polite">
      {active && typeof label === 'string' ? <Tip day={label} lines={buildLines(label)} /> : null}
    </div>
  );
}

function Tip({ day, lines }: { day: string; lines: readonly TipLine[] }) {
  return (
    <Box>
      <p>{fullDay(day)}</p>
      <ul>
        {lines.map(({ key, label, figure, color, mark }) => (
          <li key={key}>
            <Mark color={color} mark={mark} />
            <span>{label}</span>
            <strong>{figure}</strong>
          </li>
        ))}
      </ul>
    </Box>
  );
}

const Box = styled.div`
  min-inline-size: 9rem;
  max-inline-size: 17rem;
  padding: 0.625rem 0.875rem;
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  background: ${token.background};
  color: ${token.foreground};
  font-size: 0.8125rem;
  font-variant-numeric: tabular-nums;
  line-height: 1.5;

  & > p {
    color: ${token.primary};
    font-weight: 700;
  }

  & li {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    align-items: center;
    gap: 0.5rem;
    white-space: normal;
  }

  & strong {
    margin-inline-start: 0.5rem;
    font-weight: 600;
    text-align: end;
  }
`;
