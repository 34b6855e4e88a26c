import { styled } from 'styled-components';
import { useSite } from '#client/api/tenant.tsx';
import { token } from '#client/theme/tokens.ts';
import { LazyMap, type MapHeights } from '#client/map/LazyMap.tsx';
import type { MapView, PinChoice } from '#client/map/mapTypes.ts';
import { demandCopy as copy } from './copy.ts';
import type { DemandArea, PlacedArea } from './demandAreas.ts';

const heights: MapHeights = [280, 400, 440];
const nothing = [] as const;

interface DemandMapProps {
  placed: readonly PlacedArea[];
  view: MapView;
  chosen: PinChoice | null;
  onChoose: (choice: PinChoice | null) => void;
}

/** A circle for each area, sized by its demand. */
export function DemandMap({ placed, view, chosen, onChoose }: DemandMapProps) {
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
        {copy.nearestIs}{' '}
        {nearestProvider === null
          ? copy.noProvider
          : copy.nearest(nearestProvider.name, nearestProvider.miles)}
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
