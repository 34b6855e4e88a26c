import { z } from 'zod';
import { dayMs } from '../formats/time.ts';
import { pageFormKeys } from '../leads/leadForms.ts';

const count = z.number().int().nonnegative();
const day = z.iso.date();

/** The longest range in days, both ends included: a leap year. */
const insightsDaysMax = 366;
/** Sites shown separately; all others form one group. */
export const sitesMax = 5;
/** Areas shown; the CSV file has all of them. */
export const areasMax = 200;

/** Days in a range, both ends included; 0 or less if it ends before it starts. */
export function daysInRange({ from, to }: { from: string; to: string }): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
}

/** No lead is older, and Postgres has no year 0. */
const firstDay = '2000-01-01';
const askedDay = day.refine((asked) => asked >= firstDay, {
  error: `Choose ${firstDay} or a later day`,
});

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** A name, not an offset: Postgres and browsers disagree about the sign of one. */
const zone = z
  .string()
  .regex(/^[A-Za-z][\w+/-]{0,63}$/)
  .refine(isTimeZone, 'Use the name of a time zone, such as America/Denver');

/** Days, both included. */
const utcRange = z
  .object({
    from: askedDay.meta({ description: 'The first day, in UTC' }),
    to: askedDay.meta({ description: 'The last day, in UTC' }),
  })
  .refine((range) => daysInRange(range) >= 1, {
    path: ['to'],
    error: 'The end date must not be before the start date',
  })
  .refine((range) => daysInRange(range) <= insightsDaysMax, {
    path: ['from'],
    error: `Choose at most ${insightsDaysMax} days`,
  });

/** Days in UTC or in another time zone, such as the viewer's, as in the list of leads. */
export const insightsRange = utcRange.safeExtend({ zone: zone.optional() });
export type InsightsRange = z.infer<typeof insightsRange>;

/**
 * The range in the dashboard's URL, and whether the charts are unfolded. `from` and `to` are the leads' filters, which
 * stay while another tab is open.
 */
export const insightsSearch = z.object({
  since: askedDay.optional(),
  until: askedDay.optional(),
  charts: z.literal(true).optional(),
});
export type InsightsSearch = z.output<typeof insightsSearch>;

/** As many days, right before these. */
export function previousRange(range: InsightsRange): InsightsRange {
  const move = (from: string): string =>
    new Date(Date.parse(from) - daysInRange(range) * dayMs).toISOString().slice(0, 10);
  return { ...range, from: move(range.from), to: move(range.to) };
}

/** Of the leads that came in a period, without deleted and quarantined ones, as they are now. */
const periodFigures = z.object({
  leads: count,
  /** Those with a provider. */
  matched: count,
  /** Their provider got the email, or had it from an equal lead of the last 24 hours. */
  clinicReached: count,
  /** Staff's view "Clinic not reached". The others wait for their email or need none. */
  clinicNotReached: count,
  /** From arrival to the first outcome that anyone reported. Null: none has one. */
  medianSeconds: z.number().nullable(),
  /** Reached or booked. */
  reached: count,
  booked: count,
  /** Those with a provider and without an outcome. */
  noOutcome: count,
  /** A delivery failed for good. */
  failed: count,
});
export type PeriodFigures = z.infer<typeof periodFigures>;

/** The figures of a range and of the same number of days before it. */
export const insightsSummary = z.object({
  current: periodFigures,
  previous: periodFigures,
  /** Whether there is any lead at all. */
  hasLeads: z.boolean(),
});
export type InsightsSummary = z.infer<typeof insightsSummary>;

/** An owner's own weekly email: in this time zone, or none. */
export const weeklyEmailInput = z.object({ zone: zone.nullable() });
/** Null: who asks can't get one. */
export const weeklyEmailState = z.object({ isOn: z.boolean().nullable() });

/** Providers listed, those with the most leads first. */
export const providersListedMax = 50;
/** A rate of fewer leads says nothing. */
export const rateLeadsMin = 10;

const providerFigures = periodFigures.pick({
  matched: true,
  medianSeconds: true,
  reached: true,
  booked: true,
});

/** Of the leads that came in the range, by their provider, and of all providers together. */
export const insightsProviders = z.object({
  network: providerFigures,
  providers: z.array(providerFigures.extend({ id: z.number().int(), name: z.string() })),
});
export type InsightsProviders = z.infer<typeof insightsProviders>;

/** The site that a lead came from. */
const leadSite = z.object({
  /** `main`, a provider's id, or `others` for all sites beyond the first few. */
  key: z.string(),
  /** Null for `main` and `others`. */
  name: z.string().nullable(),
});

/** One row per day of the range, oldest first. Counts repeats, but no deleted and no quarantined leads. */
export const leadsByDay = z.object({
  /** The main site, the providers' sites with the most leads, the others; only sites with a lead. */
  sites: z.array(leadSite),
  days: z.array(
    z.object({
      day,
      /** In the order of `sites`; the sum is the day's total. */
      bySite: z.array(count),
      total: count,
      /** Of these, the leads that have a provider today. */
      matched: count,
      pending: count,
      success: count,
      failed: count,
    }),
  ),
});
export type LeadsByDay = z.infer<typeof leadsByDay>;

/** A day's 95th percentile of fewer leads is about their slowest one. */
export const percentileLeadsMin = 20;

/** Seconds from arrival to the first delivery, by day of arrival; null for none. Only leads matched on arrival. */
export const firstDeliveries = z.object({
  /** Of all leads of the range. */
  medianSeconds: z.number().nullable(),
  days: z.array(
    z.object({
      day,
      delivered: count,
      medianSeconds: z.number().nullable(),
      /** The 95th percentile, of at least `percentileLeadsMin` leads. */
      p95Seconds: z.number().nullable(),
    }),
  ),
});
export type FirstDeliveries = z.infer<typeof firstDeliveries>;

const contactWaits = {
  contacted: count,
  medianSeconds: z.number().nullable(),
  /** The 95th percentile. */
  p95Seconds: z.number().nullable(),
};

/**
 * Seconds from a lead's arrival to the first report that it was reached or booked, by the day of arrival; null if none
 * was.
 */
export const firstContacts = z.object({ days: z.array(z.object({ day, ...contactWaits })) });
export type FirstContacts = z.infer<typeof firstContacts>;

/** Leads that reached their provider, deliveries by channel, and attempts by day. */
export const deliveryHealth = z.object({
  /** Leads of these days that have a provider and are sent to it by email. */
  leads: z.object({ reached: count, total: count }),
  /** Deliveries that were created on these days, without canceled ones. */
  deliveries: z.array(z.object({ channel: z.string(), delivered: count, total: count })),
  /** Attempts. */
  days: z.array(z.object({ day, delivered: count, failed: count })),
  /** Attempts. */
  channels: z.array(z.object({ channel: z.string(), delivered: count, failed: count })),
});
export type DeliveryHealth = z.infer<typeof deliveryHealth>;

/** Three-digit ZIP areas with unmatched leads, most leads first. */
export const demand = z.object({
  /** All unmatched leads, with and without an area. */
  total: count,
  /** Number of areas; the list ends after `areasMax`. */
  areaCount: count,
  areas: z.array(
    z.object({
      zip3: z.string(),
      leads: count,
      /** Center of the area; null if it is unknown. */
      point: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
      nearestProvider: z.object({ name: z.string(), miles: z.number() }).nullable(),
    }),
  ),
  /** Unmatched leads without a valid ZIP code. */
  unplaced: count,
});
export type Demand = z.infer<typeof demand>;

const stepCounts = { form: z.enum(pageFormKeys), started: count, zip: count, sent: count };

/** Steps of one lead form on one day. */
export const formCompletionDay = z.object({ day, ...stepCounts });

/** Lead forms that visitors started, entered a ZIP in and sent, in the order of `pageFormKeys`. */
export const formCompletion = z.object({ forms: z.array(z.object(stepCounts)) });
export type FormCompletion = z.infer<typeof formCompletion>;

/** Campaigns shown; the CSV file has all of them. */
export const campaignsListedMax = 50;

const pageRate = z.object({
  /** A path, one of `firstPages`, or a campaign; empty for visits without one. */
  name: z.string(),
  starts: count,
  leads: count,
  /** Of these, the leads that their provider reached or booked. */
  reached: count,
  booked: count,
  /** Leads per started form, with the 95 % interval; null without started forms, or with fewer than leads. */
  rate: z.object({ share: z.number(), low: z.number(), high: z.number() }).nullable(),
  /** With the first row; null for that row, and without a rate. */
  comparison: z
    .discriminatedUnion('verdict', [
      z.object({ verdict: z.enum(['better', 'worse']) }),
      /** Leads that both together still need; null if their rates are equal. */
      z.object({ verdict: z.literal('open'), neededSuccesses: count.nullable() }),
    ])
    .nullable(),
});
export type PageRate = z.infer<typeof pageRate>;

/** Which first page and campaign bring more leads, those with the most started forms first. */
export const pageRates = z.object({ pages: z.array(pageRate), campaigns: z.array(pageRate) });
export type PageRates = z.infer<typeof pageRates>;

/** The CSV files of the insights. */
export const insightFigures = [
  'leads',
  'matches',
  'first-delivery',
  'first-contact',
  'deliveries',
  'demand',
  'forms',
  'pages',
] as const;
export type InsightFigure = (typeof insightFigures)[number];

/** GET /api/insights.csv */
export const insightsExportInput = utcRange.safeExtend({
  figure: z.enum(insightFigures).meta({ description: 'Which figure' }),
});
export type InsightsExportInput = z.infer<typeof insightsExportInput>;
