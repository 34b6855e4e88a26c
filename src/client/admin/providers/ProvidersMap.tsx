import { useMemo, useState } from 'react';
import { styled } from 'styled-components';
import { Link } from 'wouter';
import { Stack } from '#client/admin/kit/layout.tsx';
import { useSite } from '#client/api/tenant.tsx';
import { LazyMap, type MapHeights } from '#client/map/LazyMap.tsx';
import type { MapPin, MapView, PinChoice, PinGroup } from '#client/map/mapTypes.ts';
import { token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import { SmallTitle } from '#client/ui/Section.tsx';
import { type AdminProvider, type ProviderGroup, providerGroups } from '#shared/admin/adminProviders.ts';
import { groupColors, MapLegend } from './MapLegend.tsx';
import type { ProviderLists } from './ProviderList.tsx';
import type { RowContext } from './ProviderRow.tsx';
import { providerCopy } from './copy.ts';

const heights: MapHeights = [400, 400, 400];
/** The middle of the country, at a zoom that shows all of it. */
export const dashboardView: MapView = { center: { latitude: 39.8283, longitude: -98.5795 }, zoom: 4 };
const copy = providerCopy.map;

/** Pins for providers with both coordinates. */
export function listPins(lists: ProviderLists): MapPin[] {
  return providerGroups.flatMap((group) =>
    lists[group].flatMap(({ id, latitude, longitude }) =>
      latitude === null || longitude === null ? [] : [{ id, group, latitude, longitude }],
    ),
  );
}

/** The providers on the map: active ones violet, inactive ones gray. Each group can be hidden. */
export function ProvidersMap({ lists, buildHref }: { lists: ProviderLists } & Pick<RowContext, 'buildHref'>) {
  const { mapTilesUrl } = useSite();
  const [shown, setShown] = useState<Readonly<Record<ProviderGroup, boolean>>>({
    active: true,
    inactive: true,
  });
  const [chosen, setChosen] = useState<PinChoice | null>(null);
  const pins = useMemo(() => listPins(lists), [lists]);
  const groups = useMemo<PinGroup[]>(
    () => providerGroups.map((key) => ({ key, color: groupColors[key], isShown: shown[key] })),
    [shown],
  );
  const visibleChoice = chosen === null || !isShown(lists, shown, chosen.id) ? null : chosen;
  return (
    <Stack as="section" aria-labelledby="providers-map-title">
      <SmallTitle as="h2" id="providers-map-title">
        {copy.title}
      </SmallTitle>
      <MapPlace>
        <LazyMap
          label={copy.label}
          heights={heights}
          loadingText={copy.loading}
          pins={pins}
          groups={groups}
          view={dashboardView}
          scrollZoom={false}
          tilesUrl={mapTilesUrl}
          chosen={visibleChoice}
          onChoose={setChosen}
          renderPopup={(id) => <MapPopup provider={findById(lists, id)} href={buildHref(id)} />}
        />
        <MapLegend
          lists={lists}
          shown={shown}
          onShow={(group, isOn) => setShown({ ...shown, [group]: isOn })}
          unplaced={lists.active.length + lists.inactive.length - pins.length}
        />
      </MapPlace>
    </Stack>
  );
}

function findById(lists: ProviderLists, id: number): AdminProvider | null {
  const isIt = (provider: AdminProvider): boolean => provider.id === id;
  return lists.active.find(isIt) ?? lists.inactive.find(isIt) ?? null;
}

function isShown(lists: ProviderLists, shown: Readonly<Record<ProviderGroup, boolean>>, id: number): boolean {
  return shown[findById(lists, id)?.status === 'f' ? 'inactive' : 'active'];
}

function MapPopup({ provider, href }: { provider: AdminProvider | null; href: string }) {
  if (provider === null) return null;
  return (
    <Popup>
      {provider.status === 't' ? (
        <Badge tone="brand">{providerCopy.active}</Badge>
      ) : (
        <Badge>{providerCopy.inactive}</Badge>
      )}
      <Link href={href}>
        <strong>{provider.name}</strong>
      </Link>
      {provider.address === null ? null : <address>{provider.address}</address>}
      <p>
        {copy.email}: <a href={`mailto:${provider.email}`}>{provider.email}</a>
      </p>
    </Popup>
  );
}

const MapPlace = styled.div`
  position: relative;
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 0.5rem;
`;

const Popup = styled.div`
  display: grid;
  gap: 0.25rem;
  justify-items: start;
  overflow-wrap: anywhere;

  & strong {
    color: ${token.primary};
  }

  & address {
    font-style: normal;
  }
`;
