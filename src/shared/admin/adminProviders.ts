import { z } from 'zod';
import { unreachableCauses } from './adminLeads.ts';
import { publicProvider } from '../providers/providers.ts';

const id = z.number().int().positive();

/** The two groups of the Providers tab. */
export const providerGroups = ['active', 'inactive'] as const;
export type ProviderGroup = (typeof providerGroups)[number];

export const matchRadiusMilesMax = 12_500;
export const mpxapiLengthMax = 500;
/** Printable ASCII without spaces, as a header requires. */
export const mpxapiPattern = /^[\x21-\x7e]+$/;

export const adminProviderListInput = z.object({
  status: z.enum(providerGroups).default('active'),
  /** Searches names, email, address, domain, phone digits, ZIP and id; every word must match. */
  search: z.string().trim().max(200).optional(),
  /** Limit, by name; all by default. */
  limit: z.number().int().min(1).max(500).optional(),
});

/** The listed and exported group in the dashboard's URL. */
export const providerSearch = z.object({ group: adminProviderListInput.shape.status });

/** Whose emails to a provider are held, and why. */
const unreachableProvider = z
  .object({
    cause: z.enum(unreachableCauses).nullable().meta({
      description:
        '`bounce`: its mailbox refused an email. Null: it works again, and leads that waited too long were not sent',
    }),
    reason: z.string().nullable().meta({ description: 'What the mail server said, without contact details' }),
    since: z.iso.datetime().nullable().meta({ description: 'When the mailbox first refused an email' }),
    waiting: z.number().int().meta({ description: 'How many leads wait' }),
    waitingSince: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Since when the first of them has waited' }),
    acceptedAt: z.iso.datetime().nullable().meta({
      description: 'When an email was accepted since; if none bounces within a day, the others follow',
    }),
  })
  .meta({ id: 'UnreachableProvider', description: 'Whose emails to a provider are held, and why' });

/** A provider as staff see it. `mpxapi` is never included, only whether it is set. */
export const adminProvider = publicProvider.extend({
  wordpress_id: z.number().int().nullable(),
  email: z.string(),
  google_ads_id: z.string().nullable(),
  bing_ads_id: z.string().nullable(),
  /** Leads that aren't deleted. */
  leadCount: z.number().int(),
  paused: z.boolean(),
  /** Null: the configured radius applies. */
  matchRadiusMiles: z.number().int().nullable(),
  themeHue: z.number().int().nullable(),
  hasMpxapi: z.boolean(),
  /** A provider without coordinates is matched from the center of its ZIP code and isn't on the map. */
  isApproximate: z.boolean(),
  /** Null: nothing is held for it. */
  unreachable: unreachableProvider.nullable(),
});
export type AdminProvider = z.infer<typeof adminProvider>;

export const sendAgainInput = z.object({ id: id.meta({ description: 'The provider’s ID' }) });
export const sendAgainOutput = z.object({
  id,
  emails: z.number().int().meta({ description: 'How many emails were held' }),
});
export type SendAgainOutput = z.infer<typeof sendAgainOutput>;

/** A provider by REST: the public fields, for staff and scripts also theirs. */
export const listedProvider = publicProvider.extend(
  adminProvider
    .pick({
      wordpress_id: true,
      email: true,
      google_ads_id: true,
      bing_ads_id: true,
      leadCount: true,
      paused: true,
      matchRadiusMiles: true,
      themeHue: true,
      isApproximate: true,
      unreachable: true,
    })
    .partial().shape,
);

export const adminProviderListOutput = z.object({
  /** By name. */
  providers: z.array(adminProvider),
  /** Totals of both groups, regardless of the search. */
  counts: z.object({ active: z.number().int(), inactive: z.number().int() }),
  /** The radius of providers without their own. */
  defaultRadiusMiles: z.number(),
  /** The configured WordPress site; null: none. */
  wordpressUrl: z.string().nullable(),
});
export type AdminProviderList = z.infer<typeof adminProviderListOutput>;

/** A missing field stays unchanged; null clears it. */
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
  /** Write-only. */
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

/** Staff's word on a provider of the sync that waits: whether it is the provider that exists only here. */
export const confirmProviderInput = z.object({ id, isSame: z.boolean() });
/** The provider that the sync updates from now on. */
export const confirmProviderOutput = z.object({ id });
