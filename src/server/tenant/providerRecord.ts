import type { PublicProvider } from '#shared/providers/providers.ts';
import {
  type PackedView,
  packView,
  type TenantView,
  toProviderView,
  unpackView,
} from '#shared/providers/tenant.ts';
import { shareImagePath } from '#shared/shareImages/shareImage.ts';
import { asciiJson } from '#shared/formats/asciiJson.ts';

/**
 * An active clinic as the directory keeps it: its view as one string. A page of one clinic among a hundred thousand finds nothing in the
 * processor's caches, and a dozen strings of a view lie all over the memory; one is read in a stride, and takes half the room.
 */
export interface ProviderRecord {
  readonly id: number;
  /** Normalised host. */
  readonly domain: string | null;
  /** The packed view as ASCII JSON, ready to stand in a script element. */
  readonly json: string;
}

/** What a provider's pages need that no public response contains. */
export type SiteSettings = Pick<TenantView, 'themeHue' | 'measuresAds'>;

/** The view of the provider that a page is about. */
export function toTenantView(provider: PublicProvider, { themeHue, measuresAds }: SiteSettings): TenantView {
  const view = toProviderView(provider);
  const shareImage = shareImagePath(provider.id, { provider: view.label, hue: themeHue });
  return { ...view, shareImage, themeHue, measuresAds };
}

/** The packed view as it is in a record and in a page. */
export function recordJson(view: TenantView): string {
  return asciiJson(packView(view));
}

/** Packs a view. Two records of equal views have equal `json`. */
export function toRecord(view: TenantView): ProviderRecord {
  return { id: view.id, domain: view.domain, json: recordJson(view) };
}

/** Unpacks the view: a new object each time. */
export function viewOf({ json }: ProviderRecord): TenantView {
  const packed: PackedView = JSON.parse(json);
  return unpackView(packed);
}
