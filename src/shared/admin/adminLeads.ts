import { z } from 'zod';
import { day, instant, timeFilter, toDay, withInstants } from '../formats/day.ts';
import { buildRecord } from '../formats/records.ts';
import { answer } from '../leads/answers.ts';
import * as fields from '../leads/leadFieldTable.ts';
import { leadOutcomes } from '../leads/leadOutcomes.ts';
import { matchMethods, quarantineReasons } from '../leads/quarantine.ts';
import { deliveryStates } from './deliveries.ts';
import { leadStage } from './leadStage.ts';

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
 * consent. `reply-received`: an email about the lead arrived that proves no withdrawal. `not-reached`: its provider's
 * email didn't arrive. `message-refused`: the provider's mail server refused this message. `number-suppressed`: the
 * person typed a further number that nobody may call. `crm-held`: the CRM refused the lead at every attempt.
 * `mailbox-withdrawn`: somebody withdrew under another spelling of the lead's email address, and nothing is delivered
 * until staff decide.
 */
export const staffTaskKinds = [
  'phone-withdrawn',
  'reply-received',
  'not-reached',
  'message-refused',
  'number-suppressed',
  'crm-held',
  'mailbox-withdrawn',
] as const;
export type StaffTaskKind = (typeof staffTaskKinds)[number];

/** An earlier email bounced, or its recipient reported it as spam. */
export const unreachableCauses = ['bounce', 'complaint'] as const;
export type UnreachableCause = (typeof unreachableCauses)[number];

/** What a list may ask of the deliveries of leads. */
export const leadDeliveryFilters = ['failed', 'clinic'] as const;

/** Filters of the leads list and its CSV. */
export const leadFilter = z.object({
  search: z
    .string()
    .trim()
    .max(200)
    .optional()
    .meta({ description: 'Words of names, email, phone digits, ZIP or ID; each word must match' }),
  providerId: id.optional().meta({ description: 'Leads of one provider' }),
  match: z
    .enum(['matched', 'unmatched'])
    .optional()
    .meta({ description: 'Leads with a provider, or without one' }),
  quarantined: z.boolean().optional().meta({
    description:
      'True: leads that staff must review; over-limit ones are released automatically and left out. False: all others',
  }),
  overLimit: z
    .boolean()
    .optional()
    .meta({ description: 'True: leads over their network’s rate limit, which aren’t delivered yet' }),
  repeat: z
    .boolean()
    .optional()
    .meta({ description: 'Whether an earlier lead of the same person is stored' }),
  deleted: z
    .boolean()
    .optional()
    .meta({ description: 'True: only deleted leads that aren’t purged yet. False: none of them' }),
  status: z.enum(crmStatuses).optional().meta({ description: 'The state of the CRM delivery' }),
  outcome: z
    .enum([...leadOutcomes, 'contacted', 'none', 'overdue'])
    .optional()
    .meta({
      description:
        'The latest outcome; `contacted`: reached or booked; `none`: not reported yet; `overdue`: not reported 24 hours after the provider got it, of the last 30 days and not quarantined',
    }),
  delivery: z.enum(leadDeliveryFilters).optional().meta({
    description:
      '`failed`: leads with a delivery that failed permanently, and no later one of its channel. `clinic`: leads whose provider wasn’t reached',
  }),
  task: z.enum(staffTaskKinds).optional().meta({ description: 'Leads with an open task of this kind' }),
  followUpBy: day.optional().meta({ description: 'Leads to look at again on this day or an earlier one' }),
  ...timeFilter,
});
export type LeadFilter = z.infer<typeof leadFilter>;

/** Letters of the orders that have cursors; `u`: by change. A cursor belongs to one order. */
const cursorOrders = { '-created_at': 'n', created_at: 'o', updated_since: 'u' } as const;
const newestFirst: LeadSort = '-created_at';

/** The letter of a list's order; null for one without cursors. */
export function getCursorOrder({
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
    page: z.number().int().min(1).max(1_000_000).default(1).meta({ description: 'The number of the page' }),
    limit: z.number().int().min(1).max(100).default(leadsPageSize).meta({ description: 'Leads per page' }),
    sort: z.enum(leadSorts).default(newestFirst).meta({ description: 'The order; `-` is descending' }),
    upTo: id.optional().meta({
      description:
        '`newestId` of the first page: leads that arrived since are left out, so that no page repeats another’s',
    }),
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
      cursor === undefined || cursor.startsWith(getCursorOrder({ sort, updated_since }) ?? '-'),
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
export const leadSearch = leadFilter
  .omit({ createdFrom: true, createdBefore: true, followUpBy: true })
  .extend({
    /** Until today, whenever the URL is opened. */
    followUp: z.literal('today').optional(),
    overLimit: z.literal(true).optional(),
    deleted: z.literal(true).optional(),
    sort: leadListInput.shape.sort,
    page: leadListInput.shape.page,
    upTo: leadListInput.shape.upTo,
  });
export type LeadSearch = z.output<typeof leadSearch>;

/**
 * What the dashboard lists for a filter of its URL. Quarantined leads, also those over the limit, are listed only if the filter
 * asks for them: a search finds them, and deleted leads and open tasks include them.
 */
export function listedFilter({ followUp, ...filter }: LeadFilter & Pick<LeadSearch, 'followUp'>): LeadFilter {
  const { search, quarantined, overLimit, deleted, task } = filter;
  const asksForThem =
    (search !== undefined && search !== '') ||
    overLimit === true ||
    deleted === true ||
    task !== undefined ||
    quarantined !== undefined;
  return {
    ...withInstants(filter),
    ...(followUp === undefined ? {} : { followUpBy: toDay(Date.now()) }),
    ...(asksForThem ? {} : { quarantined: false }),
  };
}

/** The lead whose drawer is open, in the dashboard's URL. */
export const openLeadSearch = z.object({ lead: id.optional() });

function storedNote(field: fields.RequiredLeadField): string {
  return field === 'zip_code' ? 'Five digits if it is a ZIP code, otherwise as typed' : 'As typed';
}

/** The latest delivery of a lead by a channel. */
const latestDelivery = z.object({
  state: z.enum(deliveryStates),
  /** Why it waits, was cancelled or failed. */
  reason: z.string().nullable(),
  /** Null unless it is queued or held by a refusal, and while an attempt is in progress. */
  nextAttemptAt: z.iso.datetime().nullable(),
});

/**
 * A lead in the dashboard and in the API, which returns every field to tokens unless `leadFor` removes it. The
 * specification's fields keep its snake_case names; all others are camelCase.
 */
export const adminLead = z
  .object({
    id: id.meta({ description: 'The lead’s number' }),
    ...buildRecord(fields.requiredLeadFields, (field) => z.string().meta({ description: storedNote(field) })),
    ...buildRecord(fields.optionalLeadFields, () =>
      z.string().optional().meta({ description: 'Left out if nothing was typed' }),
    ),
    answers: z.array(answer).optional().meta(fields.leadFieldTable.answers.note),
    provider_id: id.nullable().meta({ description: 'Null if unmatched' }),
    provider: z
      .object({ name: z.string(), status: z.enum(['t', 'f']) })
      .nullable()
      .meta({ description: 'Its name, and `t` if it is active. Null if unmatched' }),
    created_at: z.iso.datetime().meta({ description: 'When it was stored' }),
    updated_at: z.iso.datetime().meta({
      description:
        'When its details, provider, outcome, status, follow-up, quarantine or deletion last changed; `created_at` if none has',
    }),
    deleted_at: z.iso.datetime().nullable().meta({ description: 'Null unless deleted' }),
    crm_sync_status: z
      .enum(crmStatuses)
      .nullable()
      .meta({ description: '`pending`: queued, retrying, or without a CRM' }),
    crmDelivery: latestDelivery
      .nullable()
      .meta({ description: 'The latest delivery to the CRM. Null: there is none' }),
    providerDelivery: latestDelivery
      .nullable()
      .meta({ description: 'The latest email about it to a provider. Null: there is none' }),
    clinicNotReached: z.boolean().meta({
      description: 'Whether the latest email to its provider failed, or is held by a refusal',
    }),
    stage: leadStage.meta({ description: 'How far it got with its provider' }),
    match: z
      .object({ method: z.enum(matchMethods), reason: z.string(), miles: z.number().nullable() })
      .meta({ description: 'How it got its provider, why, and the distance from the ZIP code' }),
    isRepeat: z.boolean().meta({ description: 'Whether an earlier lead of the same person is stored' }),
    quarantineReason: z.enum(quarantineReasons).nullable().meta({ description: 'Null unless quarantined' }),
    filledHoneypot: z.boolean().meta({
      description: 'Whether a field that people don’t see was filled in, by a bot or a password manager',
    }),
    isErased: z.boolean().meta({ description: 'The person was erased. Such a lead stays deleted' }),
    outcome: z.enum(leadOutcomes).nullable().meta({
      description:
        'The latest outcome its provider reported; for an unmatched lead, the last provider’s. Null: none yet',
    }),
    followUpOn: z.iso
      .date()
      .nullable()
      .meta({ description: 'The day on which staff want to look at it again. Null: none' }),
    unreachable: z.enum(unreachableCauses).nullable().optional().meta({
      description: 'In lists only: why no automatic email is sent to the address. Null if one may be sent',
    }),
  })
  .meta({ id: 'Lead', description: 'A lead as staff and scripts see it' });
export type AdminLead = z.infer<typeof adminLead>;

/** Which new leads an open list asks for: those after its `newestId`, 0 if it has none. */
export const newIdsInput = z.object({ after: z.number().int().nonnegative() });
/** More of them aren't counted. */
export const newLeadsMax = 100;

export const leadListOutput = z.object({
  leads: z.array(adminLead),
  /** Null for a page by cursor or `updated_since`, which isn't counted. */
  total: z.number().int().nullable(),
  /** There are at least `total` leads: it is exact up to 100,000, unless counting takes too long. */
  totalIsEstimate: z.boolean(),
  newestId: id.nullable().meta({ description: 'The number of the newest lead. Null: there is none' }),
  nextCursor: z
    .string()
    .nullable()
    .meta({ description: 'For the next page. Null: this is the last one, or `sort` is by name or ZIP' }),
});
