import { addressParts } from '#shared/providers/addressParts.ts';
import { hasAdIds, validAdIds } from '#shared/providers/adIds.ts';
import {
  type PackedView,
  packView,
  type TenantView,
  toProviderView,
  unpackView,
} from '#shared/providers/tenant.ts';
import { shareImagePath } from '#shared/shareImages/shareImage.ts';
import { asciiJson } from '#shared/formats/text.ts';
import type { PageProvider } from '../db/providerFields.ts';

/**
 * An active provider in the directory: its view as one string. One string instead of a dozen takes half the memory and
 * is read in one pass, which matters with 100,000 providers that exceed the processor's cache.
 */
export interface ProviderRecord {
  readonly id: number;
  /** Normalized host. */
  readonly domain: string | null;
  /** The packed view as ASCII JSON, ready for a script element. */
  readonly json: string;
}

/** The view of the provider that a page is about. */
export function toTenantView(provider: PageProvider): TenantView {
  const view = toProviderView(provider);
  const { themeHue, google_ads_id: google, bing_ads_id: microsoft } = provider;
  const measuresAds = hasAdIds(validAdIds({ google, microsoft }));
  const shareImage = shareImagePath(provider.id, { provider: view.label, hue: themeHue });
  return withAddressParts({ ...view, shareImage, themeHue, measuresAds });
}

function withAddressParts<View extends Pick<TenantView, 'address' | 'zipCode'>>(view: View) {
  const { street = null, city = null, state = null } = addressParts(view.address, view.zipCode) ?? {};
  return { ...view, street, city, state };
}

/** The packed view as it is in a record and in a page. */
export function recordJson(view: TenantView): string {
  return asciiJson(packView(view));
}

/** Packs a view. Records with equal views have equal `json`. */
export function toRecord(view: TenantView): ProviderRecord {
  return { id: view.id, domain: view.domain, json: recordJson(view) };
}

/** Unpacks the view: a new object for each call. */
export function toView({ json }: ProviderRecord): TenantView {
  const packed: PackedView = JSON.parse(json);
  return withAddressParts(unpackView(packed));
}
