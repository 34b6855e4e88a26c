import { z } from 'zod';
import { instant, timeFilter, withInstants } from '../formats/day.ts';
import { leadOutcomes } from '../leads/leadOutcomes.ts';
import { deliveryStates } from './deliveries.ts';
import { suppressionEntry } from '../leads/suppression.ts';

export const leadsPageSize = 40;
export const crmStatuses = ['pending', 'success', 'failed'] as const;
export type CrmStatus = (typeof crmStatuses)[number];
export const leadSorts = [
  '-created_at',
  'created_at',
  'last_name',
  '-last_name',
  'zip_code',
  '-zip_code',
] as const;
export type LeadSort = (typeof leadSorts)[number];

const id = z.number().int().positive();

/**
 * Decisions that only staff can make about a lead. `phone-withdrawn`: somebody else with the same phone number withdrew
 * consent. `reply-received`: an email about the lead arrived that proves no withdrawal.
 */
export const staffTaskKinds = ['phone-withdrawn', 'reply-received'] as const;
export type StaffTaskKind = (typeof staffTaskKinds)[number];

/** An earlier email bounced, or its recipient reported it as spam. */
export const unreachableCauses = ['bounce', 'complaint'] as const;
export type UnreachableCause = (typeof unreachableCauses)[number];

/** Filters of the leads list and its CSV. */
export const leadFilter = z.object({
  /** Searches names, email, phone digits, ZIP and id; every word must match. */
  search: z.string().trim().max(200).optional(),
  providerId: id.optional(),
  match: z.enum(['matched', 'unmatched']).optional(),
  /** True: leads that staff must review. Over-limit leads are excluded: they are released automatically. */
  quarantined: z.boolean().optional(),
  /** True: leads over their network's rate limit, which aren't delivered yet. */
  overLimit: z.boolean().optional(),
  repeat: z.boolean().optional(),
  /** True: only deleted leads that aren't purged yet. False: none of them. */
  deleted: z.boolean().optional(),
  status: z.enum(crmStatuses).optional(),
  /** The latest outcome; `none`: not reported yet. */
  outcome: z.enum([...leadOutcomes, 'none']).optional(),
  /** `failed`: a delivery failed permanently, and there is no later one of its channel. */
  delivery: z.enum(['failed']).optional(),
  /** With an open task of this kind. */
  task: z.enum(staffTaskKinds).optional(),
  ...timeFilter,
});
export type LeadFilter = z.infer<typeof leadFilter>;

/** The worklist's groups and their filters. A returned lead is unmatched too. */
export const worklistFilters = {
  unmatched: { match: 'unmatched', quarantined: false },
  failed: { delivery: 'failed' },
  overLimit: { overLimit: true },
  quarantined: { quarantined: true },
  returned: { match: 'unmatched', outcome: 'wrong-area' },
  phone: { task: 'phone-withdrawn' },
  replies: { task: 'reply-received' },
} as const satisfies Record<string, LeadFilter>;
export type WorklistGroup = keyof typeof worklistFilters;

/** Each group is counted up to this; one more means "and more". */
export const worklistCountMax = 10_000;
const worklistCount = z.number().int().nonnegative();
export const worklistOutput = z.object({
  unmatched: worklistCount,
  failed: worklistCount,
  overLimit: worklistCount,
  quarantined: worklistCount,
  returned: worklistCount,
  phone: worklistCount,
  replies: worklistCount,
});
export type WorklistCounts = z.output<typeof worklistOutput>;

/** Letters of the orders that have cursors; `u`: by change. A cursor belongs to one order. */
const cursorOrders = { '-created_at': 'n', created_at: 'o', updated_since: 'u' } as const;
const newestFirst: LeadSort = '-created_at';

/** The letter of a list's order; null for one without cursors. */
export function cursorOrderOf({
  sort,
  updated_since: since,
}: {
  sort: LeadSort;
  updated_since?: string | undefined;
}): string | null {
  if (since !== undefined) return cursorOrders.updated_since;
  return sort === 'created_at' || sort === '-created_at' ? cursorOrders[sort] : null;
}

export const leadListInput = leadFilter
  .extend({
    page: z.number().int().min(1).max(1_000_000).default(1),
    limit: z.number().int().min(1).max(100).default(leadsPageSize),
    sort: z.enum(leadSorts).default(newestFirst),
    /** An order, milliseconds since 1970 and an id: contains nothing about a person. */
    cursor: z
      .string()
      .regex(/^[nou]\d{12,13}-[1-9]\d{0,15}$/, 'Use the nextCursor of the page before.')
      .optional()
      .meta({ description: '`nextCursor` of the page before' }),
    updated_since: instant().optional().meta({
      description:
        'Leads stored or changed since then, the earliest change first, also deleted ones unless `deleted` says otherwise',
    }),
  })
  .refine(({ sort, updated_since }) => updated_since === undefined || sort === newestFirst, {
    path: ['sort'],
    message: 'updated_since has its own order. Leave out sort.',
  })
  .refine(
    ({ cursor, sort, updated_since }) =>
      cursor === undefined || cursor.startsWith(cursorOrderOf({ sort, updated_since }) ?? '-'),
    {
      path: ['cursor'],
      message: 'Use the nextCursor of the page before, with the same sort or updated_since.',
    },
  )
  .refine(
    ({ cursor, page, updated_since }) => page === 1 || (cursor === undefined && updated_since === undefined),
    {
      path: ['page'],
      message: 'Use cursor for the next page.',
    },
  );

/**
 * The list of leads in the dashboard's URL. It shows over-limit and deleted leads only, or leaves them to the other
 * filters. Its days are those of the viewer's time zone.
 */
export const leadSearch = leadFilter.omit({ createdFrom: true, createdBefore: true }).extend({
  overLimit: z.literal(true).optional(),
  deleted: z.literal(true).optional(),
  sort: leadListInput.shape.sort,
  page: leadListInput.shape.page,
});
export type LeadSearch = z.output<typeof leadSearch>;

/**
 * What the dashboard lists for a filter of its URL. Quarantined leads, also those over the limit, are listed only if the filter
 * asks for them: a search finds them, and deleted leads and open tasks include them.
 */
export function listedFilter(filter: LeadFilter): LeadFilter {
  const { search, quarantined, overLimit, deleted, task } = filter;
  const asksForThem =
    (search !== undefined && search !== '') ||
    overLimit === true ||
    deleted === true ||
    task !== undefined ||
    quarantined !== undefined;
  return {
    ...withInstants(filter),
    ...(asksForThem ? {} : { quarantined: false }),
  };
}

/** The lead whose drawer is open, in the dashboard's URL. */
export const openLeadSearch = z.object({ lead: id.optional() });

export const adminLead = z
  .object({
    id,
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    phone: z.string(),
    zip_code: z.string(),
    provider_id: id.nullable(),
    /** Null if unmatched. */
    provider: z.object({ name: z.string(), status: z.enum(['t', 'f']) }).nullable(),
    created_at: z.iso.datetime(),
    /** When its provider, outcome, status, quarantine or deletion last changed; `created_at` if none has. */
    updated_at: z.iso.datetime(),
    /** Null unless deleted. */
    deleted_at: z.iso.datetime().nullable(),
    crm_sync_status: z.enum(crmStatuses).nullable(),
    /** The latest delivery to the CRM. Null: there is none. */
    crmDelivery: z
      .object({
        state: z.enum(deliveryStates),
        /** Why it waits, was cancelled or failed. */
        reason: z.string().nullable(),
        /** Null unless it is queued, and while an attempt is in progress. */
        nextAttemptAt: z.iso.datetime().nullable(),
      })
      .nullable(),
    match: z.object({ method: z.string(), reason: z.string(), miles: z.number().nullable() }),
    isRepeat: z.boolean(),
    /** Null unless quarantined. */
    quarantineReason: z.string().nullable(),
    /** The person was erased. Such a lead stays deleted. */
    isErased: z.boolean(),
    /** The latest outcome its provider reported; for an unmatched lead, the last provider's. Null: none yet. */
    outcome: z.enum(leadOutcomes).nullable(),
    /** In lists only: why no automatic email is sent to the address. Null if one may be sent. */
    unreachable: z.enum(unreachableCauses).nullable().optional(),
  })
  .meta({ id: 'Lead', description: 'A lead as staff and scripts see it' });
export type AdminLead = z.infer<typeof adminLead>;

export const leadListOutput = z.object({
  leads: z.array(adminLead),
  /** Null for a page by cursor or `updated_since`, which isn't counted. */
  total: z.number().int().nullable(),
  /** Above a certain size the total is Postgres's estimate and displayed as one. */
  totalIsEstimate: z.boolean(),
  nextCursor: z
    .string()
    .nullable()
    .meta({ description: 'For the next page. Null: this is the last one, or `sort` is by name or ZIP' }),
});

/** A provider to assign a lead to, nearest to its ZIP first. Null miles: the ZIP's location is unknown. */
export const candidate = z.object({
  id,
  name: z.string(),
  zipCode: z.string(),
  miles: z.number().nullable(),
});

/** One entry of a lead's history, oldest first. */
export const leadEvent = z.object({
  at: z.iso.datetime(),
  /** A kind that `leadCopy.ts` names; an unknown one is shown as is. */
  kind: z.string(),
  /** `Visitor`, `Clinic`, `System`, or the name of a staff member or a token; for a token, `Staff`. */
  by: z.string(),
  detail: z.string(),
});

export const leadDetail = z.object({
  lead: adminLead,
  /** Null unless deleted. A deleted lead is read-only and can be restored for thirty days. */
  deletedAt: z.iso.datetime().nullable(),
  /** The email address or the phone number is suppressed: nobody may contact the person. */
  isSuppressed: z.boolean(),
  /** The suppression of each; null: it isn't suppressed. */
  suppression: z.object({ email: suppressionEntry.nullable(), phone: suppressionEntry.nullable() }),
  /** Why no automatic email goes to the lead's and to its provider's address; null: they get email. */
  unreachable: z.object({
    lead: z.enum(unreachableCauses).nullable(),
    provider: z.enum(unreachableCauses).nullable(),
  }),
  /** Open tasks about this lead. */
  tasks: z.array(z.object({ id, kind: z.enum(staffTaskKinds), created_at: z.iso.datetime() })),
  /** The person was erased, and the lead is deleted permanently. */
  erasedAt: z.iso.datetime().nullable(),
  consent: z
    .object({
      text: z.string(),
      version: z.string(),
      /** What the text allows contact for; null for an unknown text. */
      purpose: z.string().nullable(),
      /** The provider that the form named. */
      provider: z.string().nullable(),
      form: z.string(),
      /** Whether the box was ticked beforehand; null if that is not known. */
      prechecked: z.boolean().nullable(),
      /** By the person's own clock. */
      clientClock: z.iso.datetime().nullable(),
      at: z.iso.datetime(),
      ip: z.string().nullable(),
      userAgent: z.string().nullable(),
      page: z.string().nullable(),
      host: z.string(),
      isSealed: z.boolean(),
    })
    .nullable(),
  attribution: z.array(z.object({ touch: z.enum(['first', 'last']), name: z.string(), value: z.string() })),
  candidates: z.array(candidate),
  repeats: z.array(z.object({ id, created_at: z.iso.datetime() })),
  events: z.array(leadEvent),
});
export type LeadDetail = z.infer<typeof leadDetail>;

export const leadIdInput = z.object({ id });
/**
 * Without a search, the nearest; with one, those whose name, practice or ZIP contains every word, nearest first. At
 * most `candidatesMax`.
 */
export const candidatesInput = leadIdInput.extend({ search: z.string().trim().max(200).optional() });
export const candidatesMax = 50;
/** Whether staff confirmed an assignment although the consent of the lead names another provider. */
const confirmed = z.boolean().default(false);
/** PATCH /api/leads/{id}/provider */
export const assignInput = z.object({ id, providerId: id, confirmed });
const outcomeReport = z.object({
  at: z.iso.datetime(),
  /** `Clinic`: the provider by its link. Otherwise the name of a staff member or a token; for a token, `Staff`. */
  by: z.string(),
  outcome: z.enum(leadOutcomes),
  provider: z.object({ id, name: z.string() }),
});
export type OutcomeReport = z.infer<typeof outcomeReport>;
export const leadOutcomeReports = z.object({
  outcome: z.enum(leadOutcomes).nullable(),
  reports: z.array(outcomeReport),
});
export const outcomeNoteInput = leadIdInput.extend({ outcome: z.enum(leadOutcomes) });
/** How many leads one request may change. */
export const bulkLeadsMax = 500;
export const bulkIds = z.object({ ids: z.array(id).min(1).max(bulkLeadsMax) });
export const bulkAssignInput = bulkIds.extend({ providerId: id, confirmed });
/** The leads that were changed, by id; an Undo restores these. */
export const bulkOutput = z.object({ changed: z.array(id) });
export const bulkAssignOutput = bulkOutput.extend({
  /** The leads that were not assigned, with the provider that their consent names: repeat them with `confirmed`. */
  needConfirmation: z.array(z.object({ id, provider: z.string() })),
});

/** The response of sync, retry-sync and retry-email, with 200 in both cases. */
export const actionOutcome = z.discriminatedUnion('success', [
  z.object({ success: z.literal(true) }),
  z.object({ success: z.literal(false), error: z.string() }),
]);
