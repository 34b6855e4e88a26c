import { styled } from 'styled-components';
import { Link, useSearchParams } from 'wouter';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { Muted } from '#client/admin/kit/layout.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { touchTarget } from '#client/ui/Table.tsx';
import { figureLook } from '#client/ui/Section.tsx';
import { Skeleton } from '#client/ui/Skeleton.tsx';
import { VisuallyHidden } from '#client/ui/Section.tsx';
import { type LeadSearch, leadSearch } from '#shared/admin/adminLeads.ts';
import {
  type InsightsRange,
  type InsightsSummary,
  type PeriodFigures,
  previousRange,
} from '#shared/admin/insights.ts';
import { searchParams } from '#shared/admin/searchParams.ts';
import { timeText } from './charts/TimesChart.tsx';
import type { InsightQuery } from './InsightCard.tsx';
import { summaryCopy as copy } from '#shared/admin/summaryCopy.ts';
import { insightCopy } from './copy.ts';
import { fullDay, share } from './insightDays.ts';

type Filter = Partial<Omit<LeadSearch, 'sort' | 'page' | 'upTo'>>;

interface Tile {
  key: keyof typeof copy.names;
  figure: (figures: PeriodFigures) => number | null;
  /** The whole that the figure is a part of. */
  of?: 'leads' | 'matched';
  /** The leads that the figure counts. Left out: no list shows them. */
  filter?: Filter;
}

const tiles: readonly Tile[] = [
  { key: 'leads', figure: ({ leads }) => leads, filter: {} },
  { key: 'clinicReached', figure: ({ clinicReached }) => clinicReached, of: 'matched' },
  { key: 'median', figure: ({ medianSeconds }) => medianSeconds },
  { key: 'reached', figure: ({ reached }) => reached, of: 'leads', filter: { outcome: 'contacted' } },
  { key: 'booked', figure: ({ booked }) => booked, of: 'leads', filter: { outcome: 'booked' } },
  {
    key: 'noOutcome',
    figure: ({ noOutcome }) => noOutcome,
    of: 'matched',
    filter: { match: 'matched', outcome: 'none' },
  },
  { key: 'failed', figure: ({ failed }) => failed, of: 'leads', filter: { delivery: 'failed' } },
];

const leadParams = searchParams(leadSearch);

/** The link to the leads of these days that a filter matches. */
function useLeadsHref({ from, to }: InsightsRange): (filter: Filter) => string {
  const [params] = useSearchParams();
  return (filter) => {
    const next = leadParams.write(params, { ...filter, from, to });
    for (const other of ['tab', 'lead']) next.delete(other);
    return `?${next}`;
  };
}

/** Seven figures of the range, each with its change from as many days before. */
export function SummaryCard({
  range,
  query,
}: {
  range: InsightsRange;
  query: InsightQuery<InsightsSummary>;
}) {
  const { data, error, isPlaceholderData, refetch } = query;
  const before = previousRange(range);
  const buildHref = useLeadsHref(range);
  if (error !== null)
    return <LoadFailure error={error} fallback={copy.failed} onRetry={() => void refetch()} />;
  return (
    <section aria-label={copy.title} aria-busy={data === undefined || isPlaceholderData}>
      <Tiles>
        {tiles.map((tile) => (
          <div key={tile.key} data-figure={tile.key}>
            <dt>{copy.names[tile.key]}</dt>
            {data === undefined ? (
              <dd>
                <Skeleton $width="60%" />
              </dd>
            ) : (
              <TileFigure tile={tile} data={data} buildHref={buildHref} />
            )}
          </div>
        ))}
      </Tiles>
      {data === undefined ? <VisuallyHidden as="output">{insightCopy.loading}</VisuallyHidden> : null}
      <Muted as="p">{copy.compared(insightCopy.between(fullDay(before.from), fullDay(before.to)))}</Muted>
    </section>
  );
}

interface TileFigureProps {
  tile: Tile;
  data: InsightsSummary;
  buildHref: (filter: Filter) => string;
}

function TileFigure({ tile: { key, figure, of, filter }, data, buildHref }: TileFigureProps) {
  const { current, previous } = data;
  const now = figure(current);
  const isTime = key === 'median';
  const text = isTime ? timeText(now) : (now ?? 0).toLocaleString('en-US');
  const part = of === undefined ? null : share(now ?? 0, current[of]);
  return (
    <>
      <Value>{filter === undefined ? text : <Link href={buildHref(filter)}>{text}</Link>}</Value>
      <dd>
        {isTime ? copy.timeChange(now, figure(previous)) : copy.change(now ?? 0, figure(previous) ?? 0)}
      </dd>
      {part === null || of === undefined ? null : <Part>{copy.part(insightCopy.percent(part), of)}</Part>}
      {key === 'clinicReached' && current.clinicNotReached > 0 ? (
        <dd>
          <Link href={buildHref({ delivery: 'clinic' })}>{copy.notReached(current.clinicNotReached)}</Link>
        </dd>
      ) : null}
    </>
  );
}

const Tiles = styled.dl`
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: 1rem 1.25rem;
  margin-block-end: 0.5rem;
  font-size: 0.8125rem;
  font-variant-numeric: tabular-nums;
  line-height: 1.35;

  ${media.tablet} {
    grid-template-columns: repeat(4, minmax(0, 1fr));
  }

  & > div {
    min-block-size: 6rem;
    padding-block-start: 0.5rem;
    border-block-start: 1px solid ${token.line};
  }

  & dt {
    font-weight: 600;
  }

  & dd {
    margin: 0;
  }

  ${media.touch} {
    & a {
      ${touchTarget}
    }
  }
`;

const Value = styled.dd`
  ${figureLook}
  padding-block: 0.375rem;
  color: ${token.ink};
  font-size: ${token.title};
  white-space: nowrap;

  & > a {
    color: inherit;
  }
`;

const Part = styled.dd`
  color: ${token.muted};
`;
