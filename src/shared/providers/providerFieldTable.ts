import { z } from 'zod';
import { clinicFields, fromSource } from './clinicFields.ts';

/** How the sync reads a value. `routing`: what routes leads, by rules of its own (sync/normalizeProvider.ts). */
export type ProviderFieldKind =
  | 'routing'
  | 'text'
  | 'phone'
  | 'url'
  | 'pageUrl'
  | 'domain'
  | 'googleAdsId'
  | 'bingAdsId'
  | 'picture'
  | 'flag'
  | 'paragraphs'
  | 'detail'
  | 'hours'
  | 'languages'
  | 'pictures';

/** Where a field is shown: to anyone, on the provider's pages, to staff and scripts, in the file of the list. */
export type Output = 'public' | 'page' | 'staff' | 'csv';

/** All that one field of a provider needs: columns, schemas, lists and messages derive from it. */
export interface ProviderField {
  /** In Postgres, in files, in pushes and in WordPress' custom fields. */
  column: string;
  /** In messages, in the middle of a sentence. */
  label: string;
  /** Of responses. Descriptions are in the OpenAPI document. */
  schema: z.ZodType;
  /** Who sets it: a sync, staff and the provider, or only this product. */
  owner: 'source' | 'staff' | 'product';
  /** Nothing shows a field by default, so that a new one never leaks. */
  outputs: readonly Output[];
  /** Fields of the sync only. */
  kind?: ProviderFieldKind;
  /** A record without it is skipped. */
  required?: true;
  /** In UTF-16 units. */
  lengthMax?: number;
  /** Other names of it in the header of a file, as spreadsheets, directories and WordPress' plugins write them. */
  synonyms?: readonly string[];
  /** What staff may send; null clears it. Fields that they may edit only. */
  edit?: z.ZodType;
  /** Whether a record that doesn't have the field at all leaves it as it is. Otherwise such a record empties it. */
  keptIfMissing?: true;
  /** What a value must be, for messages. */
  expected?: string;
  /** The stored form of a text; undefined if it can't be used. */
  parse?: (text: string) => string | undefined;
}

export const matchRadiusMilesMax = 12_500;

const optional = (description: string) => z.string().nullable().meta({ description });

function wholeNumber(error: string, min: number, max: number) {
  return z.number({ error }).int(error).min(min, error).max(max, error);
}

/** To anyone and on the provider's pages. */
const shown = ['public', 'page', 'staff'] as const;
/** The same, and in the file of the list. */
const listed = [...shown, 'csv'] as const;

/** The fields of a provider by their names in the API, in the order of its responses. */
export const providerFields = {
  id: {
    column: 'id',
    label: 'ID',
    owner: 'product',
    schema: z.number().int().meta({ description: 'The provider’s number' }),
    outputs: listed,
  },
  wordpress_id: {
    column: 'wordpress_id',
    label: 'WordPress ID',
    owner: 'product',
    schema: z.number().int().nullable(),
    outputs: ['staff', 'csv'],
    synonyms: ['wp id', 'post id'],
  },
  name: {
    ...fromSource('name', 'name', listed),
    schema: z.string().meta({ description: 'The person' }),
    kind: 'routing',
    required: true,
    lengthMax: 200,
    synonyms: ['title', 'post title', 'provider', 'provider name', 'full name', 'store'],
  },
  practiceName: {
    ...fromSource('practice_name', 'practice name', listed),
    schema: optional('The clinic'),
    kind: 'text',
    lengthMax: 200,
    synonyms: ['practice', 'clinic', 'clinic name', 'company'],
  },
  address: {
    ...fromSource('address', 'address', listed),
    schema: optional('In one line'),
    kind: 'text',
    lengthMax: 500,
    synonyms: ['address 1', 'address line 1', 'street', 'street address', 'full address'],
  },
  zipCode: {
    ...fromSource('zip_code', 'ZIP code', listed),
    schema: z.string().meta({ description: 'Five digits' }),
    kind: 'routing',
    required: true,
    synonyms: ['zip', 'zip 5', 'postal code', 'post code', 'postal', 'zip or postal code'],
  },
  status: {
    ...fromSource('status', 'status', listed),
    schema: z.enum(['t', 'f']).meta({ description: '`t`: active. `f`: inactive' }),
    kind: 'routing',
    synonyms: ['active', 'is active', 'post status'],
  },
  latitude: {
    ...fromSource('latitude', 'latitude', shown),
    schema: z.number().nullable().meta({ description: 'Degrees' }),
    kind: 'routing',
    synonyms: ['lat'],
  },
  longitude: {
    ...fromSource('longitude', 'longitude', shown),
    schema: z.number().nullable().meta({ description: 'Degrees' }),
    kind: 'routing',
    synonyms: ['lng', 'long', 'lon'],
  },
  phone: {
    ...fromSource('phone', 'phone number', listed),
    schema: optional('As the provider writes it'),
    kind: 'phone',
    lengthMax: 40,
    synonyms: ['telephone', 'tel', 'telephone number', 'phone 1'],
  },
  email: {
    ...fromSource('email', 'email address', ['staff', 'csv']),
    schema: z.string(),
    kind: 'routing',
    required: true,
    lengthMax: 254,
    synonyms: ['mail'],
  },
  website: {
    ...fromSource('website', 'website', listed),
    schema: optional('Its own site'),
    kind: 'url',
    lengthMax: 2048,
    synonyms: ['website url', 'web site', 'web', 'homepage', 'web address'],
  },
  url: {
    ...fromSource('url', 'page URL', shown),
    schema: optional('A page about it'),
    kind: 'pageUrl',
    lengthMax: 2048,
    synonyms: ['link', 'profile url', 'permalink'],
  },
  domain: {
    ...fromSource('domain', 'domain', shown),
    schema: optional('The host of its microsite'),
    kind: 'domain',
    lengthMax: 300,
    synonyms: ['domain name', 'custom domain', 'host name'],
  },
  google_ads_id: {
    ...fromSource('google_ads_id', 'Google Ads ID', ['page', 'staff']),
    schema: z.string().nullable(),
    kind: 'googleAdsId',
    lengthMax: 90,
    synonyms: ['google ads', 'adwords id'],
  },
  bing_ads_id: {
    ...fromSource('bing_ads_id', 'Microsoft Ads ID', ['page', 'staff']),
    schema: z.string().nullable(),
    kind: 'bingAdsId',
    lengthMax: 20,
    synonyms: ['bing ads', 'microsoft ads', 'uet tag', 'uet tag id'],
  },
  image_url: {
    ...fromSource('image_url', 'picture', shown),
    schema: optional('A portrait'),
    kind: 'picture',
    lengthMax: 2048,
    synonyms: ['image', 'photo', 'photo url', 'picture url', 'pic', 'thumbnail', 'featured media'],
  },
  logo_url: {
    ...fromSource('logo_url', 'logo', shown),
    schema: optional('The logo'),
    kind: 'picture',
    lengthMax: 2048,
    synonyms: ['logo image'],
  },
  accepts_free_consultation: {
    ...fromSource('accepts_free_consultation', 'free consultation', shown),
    schema: z.boolean().meta({ description: 'Whether the first consultation is free' }),
    kind: 'flag',
  },
  accepts_financing: {
    ...fromSource('accepts_financing', 'financing', shown),
    schema: z.boolean().meta({ description: 'Whether it offers payment plans' }),
    kind: 'flag',
  },
  ...clinicFields,
  paused: {
    column: 'paused',
    label: 'pause',
    owner: 'staff',
    schema: z.boolean(),
    outputs: ['staff'],
    edit: z.boolean(),
  },
  /** Null: the configured radius applies. */
  matchRadiusMiles: {
    column: 'match_radius_miles',
    label: 'matching radius',
    owner: 'staff',
    schema: z.number().int().nullable(),
    outputs: ['staff'],
    edit: z
      .number({ error: 'The radius must be a whole number of miles' })
      .int('The radius must be a whole number of miles')
      .min(1, 'The radius must be at least 1 mile')
      .max(
        matchRadiusMilesMax,
        `The radius must be at most ${matchRadiusMilesMax.toLocaleString('en-US')} miles`,
      )
      .nullable(),
  },
  themeHue: {
    column: 'theme_hue',
    label: 'theme hue',
    owner: 'staff',
    schema: z.number().int().nullable(),
    outputs: ['page', 'staff'],
    edit: wholeNumber('The hue must be a whole number from 0 to 359', 0, 359).nullable(),
  },
} as const satisfies Record<string, ProviderField>;
