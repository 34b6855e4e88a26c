import { type ProviderRecord, toRecord, toTenantView, toView } from '#server/tenant/providerRecord.ts';
import type { PageProvider } from '#server/db/providerFields.ts';
import type { TenantView } from '#shared/providers/tenant.ts';

/** A provider's view for pages, without a database. By default it has only a name and a ZIP code. */
export function providerView(
  overrides: Pick<PageProvider, 'id' | 'name'> & Partial<PageProvider>,
): TenantView {
  return toTenantView({
    practiceName: null,
    address: null,
    zipCode: '80202',
    status: 't',
    latitude: null,
    longitude: null,
    phone: null,
    website: null,
    url: null,
    domain: null,
    image_url: null,
    logo_url: null,
    accepts_free_consultation: false,
    accepts_financing: false,
    google_ads_id: null,
    bing_ads_id: null,
    themeHue: null,
    clinicianName: null,
    credential: null,
    npi: null,
    certifiedSince: null,
    about: null,
    hours: null,
    timeZone: null,
    languages: null,
    pictures: null,
    bookingUrl: null,
    ...overrides,
  });
}

/** The same as a record of the directory. */
export function providerRecord(overrides: Parameters<typeof providerView>[0]): ProviderRecord {
  return toRecord(providerView(overrides));
}

export function readRecord(record: ProviderRecord | null): TenantView | null {
  return record === null ? null : toView(record);
}

export function getName(record: ProviderRecord | null): string | undefined {
  return readRecord(record)?.name;
}
