import { openingTexts } from '#shared/formats/openingTexts.ts';
import { addressParts } from '#shared/providers/addressParts.ts';
import { hasAdIds, validAdIds } from '#shared/providers/adIds.ts';
import { findZones } from '#shared/leads/zipZones.ts';
import { listDayTimes } from '#shared/providers/dayTimes.ts';
import { listOpeningHours, readOpening } from '#shared/providers/openingHours.ts';
import {
  completeView,
  imageSource,
  type PackedView,
  packView,
  type TenantView,
  unpackView,
  webHref,
} from '#shared/providers/tenant.ts';
import { toProviderView } from '#shared/providers/providerView.ts';
import { platePath, shareImagePath, siteIconTag } from '#shared/shareImages/shareImage.ts';
import { asciiJson } from '#shared/formats/text.ts';
import type { PageProvider } from '../db/providerFields.ts';
import { findZipTown } from './zipTowns.ts';

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
  const source = { label: view.label, hue: themeHue, logo: view.logoUrl };
  const [shareImage, iconTag] = [shareImagePath(provider.id, source), siteIconTag(source)];
  const sent = { ...view, ...toHome(provider), shareImage, iconTag, themeHue, measuresAds };
  return withDerived(completeView(sent));
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' });

/** The zone of a ZIP code that has one. */
function findZone(zipCode: string): string | null {
  const zones = findZones(zipCode);
  return zones.length === 1 ? (zones[0] ?? null) : null;
}

/** The parts of an address. Without an address, the ZIP code's town. */
function getPlace(address: string | null, zipCode: string): Pick<TenantView, 'street' | 'city' | 'state'> {
  const parts = addressParts(address, zipCode);
  if (parts !== null) return parts;
  const town = address === null || address.trim() === '' ? findZipTown(zipCode) : null;
  return { street: null, city: town?.city ?? null, state: town?.state ?? null };
}

/** What a provider's home says of it, in print. */
function toHome(provider: PageProvider) {
  const { id, name, practiceName, address, zipCode, hours, timeZone, latitude, longitude } = provider;
  const { clinicianName, credential, npi, certifiedSince, about, languages, pictures, bookingUrl } = provider;
  // The name is the person's where the practice has one of its own.
  const person = clinicianName || (practiceName && credential ? name : null);
  const isPlaced = latitude !== null && longitude !== null;
  return {
    clinician: [person, credential].filter(Boolean).join(', ') || null,
    npi: npi || null,
    certifiedSince: certifiedSince?.slice(0, 4) || null,
    about: about || null,
    ...getPlace(address, zipCode),
    hours,
    timeZone: timeZone ?? findZone(zipCode),
    languages: languages?.map((tag) => languageNames.of(tag) ?? tag).join(', ') || null,
    pictures: (pictures ?? []).flatMap((picture, at) => imageSource(`picture-${at + 1}`, id, picture) ?? []),
    bookingUrl: webHref(bookingUrl),
    plate: isPlaced ? platePath(id, { latitude, longitude, hue: provider.themeHue }) : null,
  };
}

/** The view with what isn't sent; `at` is when it is shown. */
function withDerived(view: TenantView, at: Date | null = null): TenantView {
  const dayTimes = view.hours === null ? [] : listDayTimes(view.hours);
  const openingHours = view.hours === null ? [] : listOpeningHours(view.hours);
  const opening = at === null ? null : readOpening(view, at);
  return { ...view, dayTimes, openingHours, openNow: opening && openingTexts.until(opening) };
}

/** The packed view as it is in a record and in a page. */
export function recordJson(view: TenantView): string {
  return asciiJson(packView(view));
}

/** Packs a view. Records with equal views have equal `json`. */
export function toRecord(view: TenantView): ProviderRecord {
  return { id: view.id, domain: view.domain, json: recordJson(view) };
}

/** Unpacks the view: a new object for each call. With a time, it says whether the provider is open then. */
export function toView({ json }: ProviderRecord, at: Date | null = null): TenantView {
  const packed: PackedView = JSON.parse(json);
  return withDerived(unpackView(packed), at);
}
