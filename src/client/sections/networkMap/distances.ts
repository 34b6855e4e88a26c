import { toPoint } from '#client/map/mapTypes.ts';
import { type GeoPoint, greatCircleMiles } from '#shared/leads/geo.ts';
import type { PublicProvider } from '#shared/providers/providerFieldLists.ts';
import { getLabel } from '#shared/providers/providerView.ts';

export interface ListedProvider {
  provider: PublicProvider;
  /** The position of its pin; null for a provider without coordinates. */
  point: GeoPoint | null;
  /** From the chosen place; null without one, and for a provider without coordinates. */
  miles: number | null;
}

const byName = new Intl.Collator('en-US', { numeric: true });

/** By name, or by distance from a place with providers without coordinates last. Ties keep the order of ids. */
export function listProviders(providers: readonly PublicProvider[], from: GeoPoint | null): ListedProvider[] {
  const listed = providers.map((provider): ListedProvider => {
    const point = toPoint(provider);
    return { provider, point, miles: point === null || from === null ? null : greatCircleMiles(from, point) };
  });
  return from === null
    ? listed.toSorted((a, b) => byName.compare(getLabel(a.provider), getLabel(b.provider)))
    : listed.toSorted(
        (a, b) => (a.miles ?? Infinity) - (b.miles ?? Infinity) || a.provider.id - b.provider.id,
      );
}
