import { z } from 'zod';
import { unreachableCauses } from './adminLeads.ts';
import {
  editShape,
  sourceShape,
  staffShape,
  publicProvider,
  typedShape,
} from '../providers/providerFieldLists.ts';

const id = z.number().int().positive();

/** The two groups of the Providers tab. */
export const providerGroups = ['active', 'inactive'] as const;
export type ProviderGroup = (typeof providerGroups)[number];

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

/** The listed and exported group in the dashboard's URL, and the text in the list's search field. */
export const providerSearch = z.object({
  group: adminProviderListInput.shape.status,
  find: z.string().trim().max(200).optional(),
});

/** The parts of a provider's page that links lead to. */
export const providerParts = ['settings', 'domain', 'details'] as const;
export type ProviderPart = (typeof providerParts)[number];

/** The provider whose page is open in the Providers tab, in the dashboard's URL. */
export const openProviderSearch = z.object({
  provider: id.optional(),
  /** A part of its page. Without a provider: `add`, or `upload` for a file of them. */
  form: z.enum([...providerParts, 'add', 'upload']).optional(),
});

/** The link from another tab to a provider's page. */
export function buildProviderHref(provider: number, part?: ProviderPart): string {
  return `?tab=providers&provider=${provider}${part === undefined ? '' : `&form=${part}`}`;
}

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

/** What staff get beside the public fields. `mpxapi` is never included, only whether it is set. */
const staffFields = z.object({
  ...sourceShape,
  /** Leads that aren't deleted. */
  leadCount: z.number().int(),
  ...staffShape,
  hasMpxapi: z.boolean(),
  /** A provider without coordinates is matched from the center of its ZIP code and isn't on the map. */
  isApproximate: z.boolean(),
  /** Null: nothing is held for it. */
  unreachable: unreachableProvider.nullable(),
});
/** A provider as staff see it. */
export const adminProvider = publicProvider.extend(staffFields.shape);
export type AdminProvider = z.infer<typeof adminProvider>;

export const sendAgainInput = z.object({ id: id.meta({ description: 'The provider’s ID' }) });
export const sendAgainOutput = z.object({
  id,
  emails: z.number().int().meta({ description: 'How many emails were held' }),
});
export type SendAgainOutput = z.infer<typeof sendAgainOutput>;

/** A provider by REST: the public fields, for staff and scripts also theirs. */
export const listedProvider = publicProvider.extend(staffFields.omit({ hasMpxapi: true }).partial().shape);

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

/** The rates are of leads of so many days. */
export const ratedDays = 90;
/** Of fewer leads or outcomes, no rate and no median is shown. */
export const ratedMin = 10;

const count = z.number().int().nonnegative();

/** What came of leads of the last `ratedDays` that are neither deleted nor quarantined. */
const leadResults = { leads: count, reached: count, booked: count };

export const ratedFigures = z.object({
  ...leadResults,
  /** How many of them have an outcome, and the median time from a lead to its first one. */
  outcomes: count,
  medianSeconds: z.number().nullable(),
});
export type RatedFigures = z.infer<typeof ratedFigures>;

export const providerFigures = z.object({
  /** Only providers with a lead. `thisMonth`: leads of the present month in UTC. */
  providers: z.array(z.object({ id, thisMonth: count, ...leadResults })),
  network: ratedFigures,
});
export type ProviderFigures = z.infer<typeof providerFigures>;

/** Listed of the leads that a provider didn't get. */
export const refusedListedMax = 5;

/** What a provider's page shows. */
export const providerDetail = z.object({
  provider: adminProvider,
  /** When its email address was confirmed by the link sent to it. */
  emailConfirmedAt: z.iso.datetime().nullable(),
  /** The approved application whose confirmation can be sent again. */
  applicationId: id.nullable(),
  /** The leads that its mailbox refused, the newest first. */
  refused: z.object({
    total: count,
    latest: z.array(z.object({ leadId: id, at: z.iso.datetime(), reason: z.string().nullable() })),
  }),
  /** Leads of the last twelve months in UTC, the oldest first. `2026-11` */
  months: z.array(z.object({ month: z.string(), leads: count })),
  figures: ratedFigures,
  defaultRadiusMiles: z.number(),
  wordpressUrl: z.string().nullable(),
});
export type ProviderDetail = z.infer<typeof providerDetail>;

/** A missing field stays unchanged; null clears it. */
export const adminProviderUpdateInput = z.object({
  id,
  ...editShape,
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

/** A provider that staff add. It exists only here, and is inactive at first. */
export const ownProviderCreateInput = z.object(typedShape);
/** Changes to one. A missing field stays unchanged; an empty text empties it. */
export const ownProviderUpdateInput = z.object({ id, ...typedShape });

/** Whether a provider that exists only here gets leads and is shown. */
export const providerActiveInput = z.object({ id, isActive: z.boolean() });

/** Staff's word on a provider of the sync that waits: whether it is the provider that exists only here. */
export const confirmProviderInput = z.object({ id, isSame: z.boolean() });
/** The provider that the sync updates from now on. */
export const confirmProviderOutput = z.object({ id });
