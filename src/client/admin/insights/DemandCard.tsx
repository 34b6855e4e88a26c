import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import type { Column } from '#client/admin/kit/DataTable.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { useSite } from '#client/api/tenant.tsx';
import { LazyMap, type MapHeights } from '#client/map/LazyMap.tsx';
import type { MapView, PinChoice } from '#client/map/mapTypes.ts';
import { token } from '#client/theme/tokens.ts';
import type { Demand, InsightsRange } from '#shared/admin/insights.ts';
import { InsightCard, keptOptions } from './InsightCard.tsx';
import { FigureSplit } from './charts/FigureSplit.tsx';
import { demandCopy as copy } from './copy.ts';
import { areasOnMap, continentIn, type DemandArea, type PlacedArea } from './demandAreas.ts';

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

  useEffect(() => {
    // On a phone the map is above the table.
    if (chosen?.from === 'page') frame.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <FigureSplit
      title={copy.title}
      columns={areaColumns(shown?.area.zip3, setChosen)}
      rows={areas.map((area) => ({ ...area, id: area.zip3 }))}
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

function areaColumns(
  shownZip3: string | undefined,
  onChoose: (choice: PinChoice) => void,
): Column<DemandArea & { id: string }>[] {
  return [
    { key: 'area', header: copy.columns.area, isRowHeader: true, cell: ({ zip3 }) => zip3 },
    { key: 'leads', header: copy.columns.leads, cell: ({ leads }) => leads.toLocaleString('en-US') },
    {
      key: 'nearest',
      header: copy.columns.nearest,
      cell: ({ nearestProvider }) => <Nearest>{nearestText(nearestProvider)}</Nearest>,
    },
    {
      key: 'map',
      header: copy.columns.map,
      cell: ({ zip3, point }) =>
        point === null ? (
          <Muted>{copy.notOnMap}</Muted>
        ) : (
          <Show
            variant="quiet"
            aria-label={copy.showArea(zip3)}
            aria-pressed={shownZip3 === zip3}
            onClick={({ currentTarget }) =>
              onChoose({ id: Number(zip3), from: 'page', opener: () => currentTarget })
            }
          >
            {copy.show}
          </Show>
        ),
    },
  ];
}

function nearestText(nearest: DemandArea['nearestProvider']): string {
  return nearest === null ? copy.noProvider : copy.nearest(nearest.name, nearest.miles);
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

const heights: MapHeights = [280, 400, 440];
const nothing = [] as const;

interface DemandMapProps {
  placed: readonly PlacedArea[];
  view: MapView;
  chosen: PinChoice | null;
  onChoose: (choice: PinChoice | null) => void;
}

/** A circle for each area, sized by its demand. */
function DemandMap({ placed, view, chosen, onChoose }: DemandMapProps) {
  const { mapTilesUrl } = useSite();
  return (
    <LazyMap
      label={copy.map}
      heights={heights}
      loadingText={copy.loadingMap}
      pins={nothing}
      groups={nothing}
      areas={placed}
      view={view}
      scrollZoom={false}
      tilesUrl={mapTilesUrl}
      chosen={chosen}
      onChoose={onChoose}
      renderPopup={(id) => <AreaPopup area={placed.find((one) => one.id === id)?.area} />}
    />
  );
}

function AreaPopup({ area }: { area: DemandArea | undefined }) {
  if (area === undefined) return null;
  const { zip3, leads, nearestProvider } = area;
  return (
    <Popup>
      <strong>{copy.area(zip3)}</strong>
      <p>{copy.headline(leads)}</p>
      <p>
        {copy.nearestIs} {nearestText(nearestProvider)}
      </p>
    </Popup>
  );
}

const Popup = styled.div`
  display: grid;
  gap: 0.25rem;
  font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;

  & strong {
    color: ${token.primary};
  }
`;
