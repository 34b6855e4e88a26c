import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import type { PinChoice } from '#client/map/mapTypes.ts';
import { token } from '#client/theme/tokens.ts';
import type { Demand, InsightsRange } from '#shared/admin/insights.ts';
import { DemandMap } from './DemandMap.tsx';
import { InsightCard, keptOptions } from './InsightCard.tsx';
import { FigureSplit } from './charts/FigureSplit.tsx';
import { demandCopy as copy } from './copy.ts';
import { areasOnMap, continentIn } from './demandAreas.ts';

const columns = [
  { key: 'leads', label: copy.columns.leads },
  { key: 'nearest', label: copy.columns.nearest },
  { key: 'map', label: copy.columns.map },
];

/** The areas of the leads without a provider. */
export function DemandCard({ range }: { range: InsightsRange }) {
  const query = adminApi.admin.insights.demand.useQuery(range, keptOptions);
  return (
    <InsightCard
      figure="demand"
      range={range}
      copy={copy}
      query={query}
      isEmpty={({ total }) => total === 0}
      headline={({ total, areaCount, unplaced }) => ({
        figure: copy.headline(total),
        note: copy.note(areaCount, unplaced),
      })}
    >
      {(data) => <Areas data={data} />}
    </InsightCard>
  );
}

/** The map, and the same areas as a table for keyboard users. */
function Areas({ data: { areas } }: { data: Demand }) {
  const [chosen, setChosen] = useState<PinChoice | null>(null);
  const frame = useRef<HTMLElement>(null);
  const [width, setWidth] = useState<number | null>(null);
  const placed = useMemo(() => areasOnMap(areas), [areas]);
  const shown = placed.find(({ id }) => id === chosen?.id);

  // Only once: a resize must not reset a map that its reader has moved.
  useLayoutEffect(() => setWidth(frame.current?.clientWidth ?? null), []);
  const view = useMemo(() => (width === null ? null : continentIn(width)), [width]);

  function show(id: number, opener: HTMLElement): void {
    setChosen({ id, from: 'page', opener });
    // On a phone the map is above the table.
    frame.current?.scrollIntoView({ block: 'nearest' });
  }

  return (
    <FigureSplit
      title={copy.title}
      areNumbers={false}
      head={copy.columns.area}
      columns={columns}
      rows={areas.map(({ zip3, leads, nearestProvider, point }) => ({
        id: zip3,
        head: zip3,
        cells: {
          leads: leads.toLocaleString('en-US'),
          nearest: (
            <Nearest>
              {nearestProvider === null
                ? copy.noProvider
                : copy.nearest(nearestProvider.name, nearestProvider.miles)}
            </Nearest>
          ),
          map:
            point === null ? (
              <Muted>{copy.notOnMap}</Muted>
            ) : (
              <Show
                variant="quiet"
                aria-label={copy.showArea(zip3)}
                aria-pressed={shown?.area.zip3 === zip3}
                onClick={(event) => show(Number(zip3), event.currentTarget)}
              >
                {copy.show}
              </Show>
            ),
        },
      }))}
    >
      <figure ref={frame}>
        {view === null ? null : (
          <DemandMap placed={placed} view={view} chosen={chosen} onChoose={setChosen} />
        )}
        <Legend>{copy.legend}</Legend>
      </figure>
    </FigureSplit>
  );
}

const Show = styled(ActionButton)`
  margin-inline: -0.75rem;
  white-space: nowrap;

  &[aria-pressed='true'] {
    background: ${token.tint};
  }
`;

const Nearest = styled.div`
  min-inline-size: 9rem;
`;

const Muted = styled.span`
  color: ${token.muted};
  white-space: nowrap;
`;

const Legend = styled.figcaption`
  margin-block-start: 0.5rem;
  color: ${token.muted};
  font-size: 0.8125rem;
`;
