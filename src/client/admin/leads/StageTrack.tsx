import { css, styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { isOutcomeLate, type LeadStage, stageText } from '#shared/admin/leadStage.ts';
import { dayMs, hourMs, minuteMs } from '#shared/formats/time.ts';

const longestMs = 30 * dayMs;
/** In units of a row's track. */
const box = { width: 132, height: 12, start: 1, end: 131, middle: 6 } as const;
/** Stations of the same minute stay apart. */
const apart = 4;
/** Where delivery broke. */
const gap = { from: 7, to: 17 } as const;
const axis = [
  { ms: minuteMs, label: '1 min' },
  { ms: hourMs, label: '1 h' },
  { ms: dayMs, label: '1 day' },
  { ms: longestMs, label: '30 days' },
] as const;

/** The place of a time after the receipt, on a log scale of minutes. */
function place(ms: number): number {
  const share =
    Math.log1p(Math.min(Math.max(ms, 0), longestMs) / minuteMs) / Math.log1p(longestMs / minuteMs);
  return Number((box.start + share * (box.end - box.start)).toFixed(1));
}

interface StageTrackProps {
  stage: LeadStage;
  now: number;
  size?: 'row' | 'large';
}

/** How far a lead got, on a line from its receipt to 30 days later. In words, it is the drawing's name and tooltip. */
export function StageTrack({ stage, now, size = 'row' }: StageTrackProps) {
  const drawing = (
    <Drawing
      viewBox={`0 0 ${box.width} ${box.height}`}
      width={box.width}
      height={box.height}
      $isLarge={size === 'large'}
    >
      <title>{stageText(stage, now)}</title>
      <Marks stage={stage} now={now} />
    </Drawing>
  );
  if (size === 'row') return drawing;
  return (
    <div>
      {drawing}
      <Axis aria-hidden="true">
        {axis.map(({ ms, label }) => (
          <span key={label} style={{ insetInlineStart: `${(place(ms) / box.width) * 100}%` }}>
            {label}
          </span>
        ))}
      </Axis>
    </div>
  );
}

function Marks({ stage, now }: { stage: LeadStage; now: number }) {
  const received = Date.parse(stage.receivedAt);
  const after = (iso: string | null, least: number): number | null =>
    iso === null ? null : Math.min(Math.max(place(Date.parse(iso) - received), least), box.end);
  const sent = after(stage.sentAt, box.start + apart);
  const reached = after(stage.reachedAt, (sent ?? box.start) + apart);
  const booked = after(stage.bookedAt, (reached ?? sent ?? box.start) + apart);
  const last = booked ?? reached ?? sent ?? box.start;
  const isWaiting = booked === null && reached === null;
  const until = Math.max(last, place(now - received));
  const isLate = isOutcomeLate(stage, now);
  return (
    <>
      <Line from={box.start} to={box.end} color={token.line} />
      <Line from={box.start} to={last} color={token.ink} width={1.5} />
      {isWaiting ? (
        <Line from={last} to={until} color={isLate ? token.warning : token.muted} width={isLate ? 2.5 : 1} />
      ) : null}
      {stage.isBroken ? <Gap /> : null}
      <Tick x={box.start} half={5} color={token.ink} />
      {sent === null ? null : <Tick x={sent} half={3} color={isLate ? token.warning : token.ink} />}
      {reached === null || stage.reachedAt === stage.bookedAt ? null : (
        <circle cx={reached} cy={box.middle} r={2.5} fill={token.ink} />
      )}
      {booked === null ? null : <Tick x={booked} half={5} color={token.ink} />}
    </>
  );
}

function Line({ from, to, color, width = 1 }: { from: number; to: number; color: string; width?: number }) {
  return <line x1={from} x2={to} y1={box.middle} y2={box.middle} stroke={color} strokeWidth={width} />;
}

function Tick({ x, half, color }: { x: number; half: number; color: string }) {
  return (
    <line x1={x} x2={x} y1={box.middle - half} y2={box.middle + half} stroke={color} strokeWidth={1.5} />
  );
}

function Gap() {
  return (
    <>
      <Line from={gap.from} to={gap.to} color={token.background} width={4} />
      <Line from={box.start} to={gap.from} color={token.danger} width={2} />
      <Tick x={gap.from} half={3} color={token.danger} />
      <Tick x={gap.to} half={3} color={token.danger} />
    </>
  );
}

/** The lines stay as thin as in a row. */
const large = css`
  inline-size: 100%;
  block-size: auto;

  & > line {
    vector-effect: non-scaling-stroke;
  }
`;

const Drawing = styled.svg.attrs({ role: 'img' })<{ $isLarge: boolean }>`
  display: block;
  flex: none;
  overflow: visible;
  ${({ $isLarge }) => ($isLarge ? large : '')}
`;

const Axis = styled.div`
  position: relative;
  block-size: 1.25rem;
  color: ${token.muted};
  font-size: 0.75rem;
  font-variant-numeric: tabular-nums;

  & > span {
    position: absolute;
    transform: translateX(-50%);
    white-space: nowrap;
  }

  & > span:last-child {
    transform: translateX(-100%);
  }
`;
