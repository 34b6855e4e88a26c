import { directionsAddress } from '#shared/brand/map.ts';
import type { GeoPoint } from '#shared/leads/geo.ts';
import type { PublicProvider } from '#shared/providers/providers.ts';

/** A link to directions: to the address if there is one, which is more exact, else to the coordinates. */
export function directionsHref({ address, zipCode }: PublicProvider, point: GeoPoint | null): string | null {
  const written = address?.trim() ?? '';
  if (written !== '') return `${directionsAddress}${encodeURIComponent(`${written} ${zipCode}`)}`;
  return point === null ? null : `${directionsAddress}${point.latitude},${point.longitude}`;
}
