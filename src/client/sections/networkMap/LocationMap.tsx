import { useMemo, useState } from 'react';
import { useSite } from '#client/api/tenant.tsx';
import { LazyMap, type MapHeights } from '#client/map/LazyMap.tsx';
import type { MapPin, MapView, PinChoice, PinGroup } from '#client/map/mapTypes.ts';
import { location } from '#shared/brand/map.ts';
import type { TenantView } from '#shared/providers/tenant.ts';

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
