/** The columns of a provider that the sync writes. All others are this site's own. */
export const syncedColumns = [
  'name',
  'practice_name',
  'address',
  'zip_code',
  'status',
  'latitude',
  'longitude',
  'phone',
  'email',
  'website',
  'url',
  'domain',
  'google_ads_id',
  'bing_ads_id',
  'image_url',
  'logo_url',
  'accepts_free_consultation',
  'accepts_financing',
] as const;
export type SyncedColumn = (typeof syncedColumns)[number];

/** A provider's row, which satisfies the table's checks. */
export interface IncomingProvider {
  wordpress_id: number;
  name: string;
  practice_name: string | null;
  address: string | null;
  zip_code: string;
  status: 't' | 'f';
  latitude: number | null;
  longitude: number | null;
  phone: string | null;
  email: string;
  website: string | null;
  url: string | null;
  domain: string | null;
  google_ads_id: string | null;
  bing_ads_id: string | null;
  image_url: string | null;
  logo_url: string | null;
  accepts_free_consultation: boolean;
  accepts_financing: boolean;
}

/** Maximum lengths of texts, in UTF-16 units. */
export const lengthMax = {
  name: 200,
  practice_name: 200,
  address: 500,
  phone: 40,
  email: 254,
  website: 2048,
  url: 2048,
  domain: 300,
  google_ads_id: 90,
  bing_ads_id: 20,
  image_url: 2048,
  logo_url: 2048,
} as const satisfies Partial<Record<SyncedColumn, number>>;
