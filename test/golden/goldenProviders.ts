import { insertProvider } from '#test/support/factories.ts';
import type { TestDb } from '#test/support/testDb.ts';

type Provider = Parameters<typeof insertProvider>[1];

/** Every optional column that a page may show. Without it the factory would fill them from its counter. */
const blank: Provider = {
  practiceName: null,
  address: null,
  status: 't',
  latitude: null,
  longitude: null,
  phone: null,
  website: null,
  url: null,
  domain: null,
  googleAdsId: null,
  bingAdsId: null,
  imageUrl: null,
  logoUrl: null,
  acceptsFreeConsultation: false,
  acceptsFinancing: false,
  themeHue: null,
};

/** 101 has every column, 102 only the required ones, 103 hostile text, 105 is inactive. The others fill the lists. */
const goldenProviders: readonly Provider[] = [
  {
    ...blank,
    id: 101,
    name: 'Juniper Street Clinic',
    practiceName: 'Juniper Street Health',
    address: '12 Juniper Street, Denver, CO',
    zipCode: '80202',
    latitude: 39.7512,
    longitude: -104.9976,
    phone: '(303) 555-0101 ext. 7',
    email: 'juniper@example.com',
    website: 'juniper-street.example.com/visit?from=site&page=1',
    url: 'https://www.example.com/clinics/juniper-street',
    domain: 'juniper.example.com',
    googleAdsId: 'AW-8172635433/Clinic-1',
    bingAdsId: '8172635444',
    imageUrl: 'https://images.example.com/juniper.jpg',
    logoUrl: 'https://images.example.com/juniper.svg',
    acceptsFreeConsultation: true,
    acceptsFinancing: true,
    themeHue: 210,
  },
  {
    ...blank,
    id: 102,
    name: 'Birch Hollow Clinic',
    zipCode: '10016',
    email: 'birch@example.com',
    domain: 'birch.example.com',
  },
  {
    ...blank,
    id: 103,
    name: `Rowe & "Sons" <b>Clinic</b> O'Neil`,
    address: `</script><script>alert(1)</script> 5 "Quoted" Row`,
    zipCode: '60601',
    phone: '312.555.0103',
    email: 'rowe@example.com',
    website: 'javascript:alert(1)',
    bingAdsId: '8172635455',
    logoUrl: '/logos/rowe.svg',
    acceptsFinancing: true,
  },
  {
    ...blank,
    id: 104,
    name: 'Evergreen Slip Health',
    practiceName: 'Evergreen Slip Seattle',
    address: '4 Harbor Avenue, Seattle, WA',
    zipCode: '98101',
    latitude: 47.6101,
    longitude: -122.3344,
    phone: '(206) 555-0104',
    email: 'evergreen@example.com',
    website: 'https://evergreen.example.com',
    domain: 'evergreen.example.com',
    logoUrl: 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=',
    acceptsFreeConsultation: true,
    themeHue: 38,
  },
  {
    ...blank,
    id: 105,
    name: 'Hollow Creek Health',
    zipCode: '38103',
    email: 'hollow@example.com',
    domain: 'hollow.example.com',
    status: 'f',
  },
  {
    ...blank,
    id: 106,
    name: 'Trade Wind Clinic',
    zipCode: '96813',
    phone: '(808) 555-0106',
    email: 'trade@example.com',
    acceptsFreeConsultation: true,
  },
  {
    ...blank,
    id: 107,
    name: 'Bayou Compass Clinic',
    zipCode: '77002',
    email: 'bayou@example.com',
    domain: 'bayou.example.com',
    acceptsFinancing: true,
  },
];

export async function insertGoldenProviders({ db }: TestDb): Promise<void> {
  for (const provider of goldenProviders) await insertProvider(db, provider);
}
