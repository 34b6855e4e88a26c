import { z } from 'zod';
import { publicProvider } from '../providers/providers.ts';

const id = z.number().int().positive();

/** The two groups of product's Providers tab. */
export const providerGroups = ['active', 'inactive'] as const;
export type ProviderGroup = (typeof providerGroups)[number];

export const matchRadiusMilesMax = 12_500;
export const mpxapiLengthMax = 500;
/** Printable ASCII without spaces: what a header can carry. */
export const mpxapiPattern = /^[\x21-\x7e]+$/;

export const adminProviderListInput = z.object({
  status: z.enum(providerGroups).default('active'),
  /** Names, e-mail, address, domain, the phone's digits, ZIP or the clinic's number; every word must be found. */
  search: z.string().trim().max(200).optional(),
  /** The first so many by name; left out, all of them. */
  limit: z.number().int().min(1).max(500).optional(),
});

/** The listed and exported group in the dashboard's URL. */
export const providerSearch = z.object({ group: adminProviderListInput.shape.status });

/** A clinic as staff see it. `mpxapi` itself is never among it, only whether there is one. */
export const adminProvider = publicProvider.extend({
  wordpress_id: z.number().int().nullable(),
  email: z.string(),
  google_ads_id: z.string().nullable(),
  bing_ads_id: z.string().nullable(),
  /** Leads that aren't deleted. */
  leadCount: z.number().int(),
  paused: z.boolean(),
  /** Null: the configured radius counts. */
  matchRadiusMiles: z.number().int().nullable(),
  themeHue: z.number().int().nullable(),
  hasMpxapi: z.boolean(),
  /** Without coordinates of its own it is matched from the centre of its ZIP code, and not on the map. */
  isApproximate: z.boolean(),
});
export type AdminProvider = z.infer<typeof adminProvider>;

export const adminProviderListOutput = z.object({
  /** By name. */
  providers: z.array(adminProvider),
  /** Of both groups, whatever is searched for. */
  counts: z.object({ active: z.number().int(), inactive: z.number().int() }),
  /** Counted for a clinic without a radius of its own. */
  defaultRadiusMiles: z.number(),
  /** The WordPress site clinics are kept in, as configured; null: none. */
  wordpressUrl: z.string().nullable(),
});
export type AdminProviderList = z.infer<typeof adminProviderListOutput>;

/** What is left out stays as it is; null empties it. */
export const adminProviderUpdateInput = z.object({
  id,
  paused: z.boolean().optional(),
  matchRadiusMiles: z
    .number({ error: 'The radius must be a whole number of miles' })
    .int('The radius must be a whole number of miles')
    .min(1, 'The radius must be at least 1 mile')
    .max(
      matchRadiusMilesMax,
      `The radius must be at most ${matchRadiusMilesMax.toLocaleString('en-US')} miles`,
    )
    .nullable()
    .optional(),
  themeHue: z
    .number({ error: 'The hue must be a whole number from 0 to 359' })
    .int('The hue must be a whole number from 0 to 359')
    .min(0, 'The hue must be a whole number from 0 to 359')
    .max(359, 'The hue must be a whole number from 0 to 359')
    .nullable()
    .optional(),
  /** Written, never read. */
  mpxapi: z
    .string()
    .trim()
    .min(1, 'The key must not be empty')
    .max(mpxapiLengthMax, `The key must be at most ${mpxapiLengthMax} characters`)
    .regex(mpxapiPattern, 'The key must be printable ASCII without spaces')
    .nullable()
    .optional(),
});
export type AdminProviderUpdate = z.infer<typeof adminProviderUpdateInput>;
