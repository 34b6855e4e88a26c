import { styled } from 'styled-components';
import { ProviderCard } from '#client/sections/providerCard/ProviderCard.tsx';
import { usePage, useSite } from '#client/api/tenant.tsx';
import { media, needsScripts } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { ArrowUpRight } from '#client/ui/Icon.tsx';
import { VisuallyHidden } from '#client/ui/Section.tsx';
import { PageColumn, PageTitle } from '#client/sections/kit/FormColumns.tsx';
import { directionsAddress, location, network } from '#shared/brand/map.ts';
import { paths, providerFormAnchor } from '#shared/pages/paths.ts';
import type { TenantView } from '#shared/providers/tenant.ts';
import { useMemo, useState } from 'react';
import { LazyMap, type MapHeights } from '#client/map/LazyMap.tsx';
import type { MapPin, MapView, PinChoice, PinGroup } from '#client/map/mapTypes.ts';

/** Where a tenant is and how to reach it. It replaces the network's map, so that its visitors see no other provider. */
export function LocationPage() {
  const { provider } = usePage('location');
  const { latitude, longitude } = provider;
  return (
    <PageColumn>
      <Heading>{location.title}</Heading>
      <Columns>
        <div>
          <ProviderCard provider={provider} distance={null} headingLevel={2} hasName={false} />
          <Actions provider={provider} />
        </div>
        {latitude === null || longitude === null ? null : (
          <MapPlace>
            <LocationMap provider={provider} latitude={latitude} longitude={longitude} />
          </MapPlace>
        )}
      </Columns>
    </PageColumn>
  );
}

/** The card above has the button for a call. */
function Actions({ provider: { destination } }: { provider: TenantView }) {
  return (
    <Links>
      <ButtonLink href={`${paths.home}#${providerFormAnchor}`} size="large">
        {network.list.request}
      </ButtonLink>
      <ButtonLink href={paths.home} size="large" variant="quiet">
        {location.home}
      </ButtonLink>
      {destination === null ? null : (
        <ButtonLink
          href={`${directionsAddress}${destination}`}
          size="large"
          variant="secondary"
          target="_blank"
          rel="noopener noreferrer"
        >
          {network.list.directions}
          <ArrowUpRight />
          <VisuallyHidden>{network.list.newWindow}</VisuallyHidden>
        </ButtonLink>
      )}
    </Links>
  );
}

const Heading = styled(PageTitle)`
  margin-block-end: 2rem;
`;

const Columns = styled.div`
  display: grid;
  gap: 2rem;

  ${media.desktop} {
    grid-template-columns: 25rem minmax(0, 1fr);
    gap: 2.5rem;
    align-items: start;
  }
`;

const Links = styled.div`
  display: grid;
  gap: 0.75rem;
  margin-block-start: 1.5rem;

  ${media.tablet} {
    display: flex;
    flex-wrap: wrap;
  }

  ${media.desktop} {
    display: grid;
  }
`;

/** The map needs scripts. */
const MapPlace = styled.div`
  min-inline-size: 0;
  ${needsScripts}
`;

const group = 'own';
const groups: readonly PinGroup[] = [{ key: group, color: 'var(--secondary)' }];
const heights: MapHeights = [320, 440, 560];
/** On the basemap, the state stays recognizable. */
const zooms = { streets: 14, basemap: 6 };

interface LocationMapProps {
  provider: TenantView;
  latitude: string;
  longitude: string;
}

/** One provider on a map, and no other. */
export function LocationMap({ provider, latitude, longitude }: LocationMapProps) {
  const { mapTilesUrl } = useSite();
  const [chosen, setChosen] = useState<PinChoice | null>(null);
  const { id } = provider;
  const { pins, view } = useMemo((): { pins: MapPin[]; view: MapView } => {
    const point = { latitude: Number(latitude), longitude: Number(longitude) };
    const zoom = mapTilesUrl === null ? zooms.basemap : zooms.streets;
    return { pins: [{ id, group, ...point }], view: { center: point, zoom } };
  }, [id, latitude, longitude, mapTilesUrl]);
  return (
    <LazyMap
      label={location.mapLabel}
      heights={heights}
      loadingText={location.loading}
      pins={pins}
      groups={groups}
      clusters={false}
      view={view}
      scrollZoom={false}
      tilesUrl={mapTilesUrl}
      chosen={chosen}
      onChoose={setChosen}
      renderPopup={() => provider.label}
    />
  );
}
