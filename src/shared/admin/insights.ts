import { z } from 'zod';
import { dayMs } from '../formats/time.ts';

const count = z.number().int().nonnegative();
const day = z.iso.date();

/** The longest stretch of days that is looked at, both ends included: a leap year. */
const insightsDaysMax = 366;
/** Sites with a band of their own; the other clinics' are one. */
export const sitesMax = 5;
/** Areas shown; the file has every one. */
export const areasMax = 200;

/** Clinics listed as the slowest to reach their leads. */
export const slowestProvidersMax = 10;

/** How many days a range holds, both ends included; 0 or less where it ends before it begins. */
export function daysInRange({ from, to }: { from: string; to: string }): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
}

/** No lead is older, and Postgres knows no year 0. */
const firstDay = '2000-01-01';
const askedDay = day.refine((asked) => asked >= firstDay, {
  error: `Days before ${firstDay} can’t be looked at`,
});

/** Days in UTC, both included, as in the list of leads. */
export const insightsRange = z
  .object({ from: askedDay, to: askedDay })
  .refine((range) => daysInRange(range) >= 1, {
    path: ['to'],
    error: 'The last day must not be before the first',
  })
  .refine((range) => daysInRange(range) <= insightsDaysMax, {
    path: ['from'],
    error: `At most ${insightsDaysMax} days can be looked at`,
  });
export type InsightsRange = z.infer<typeof insightsRange>;

/** The days in the dashboard's URL. Not `from` and `to`: those are filters of the leads, which stay while another tab is open. */
export const insightsSearch = z.object({ since: askedDay.optional(), until: askedDay.optional() });
export type InsightsSearch = z.output<typeof insightsSearch>;

/** Where leads were left. */
const leadSite = z.object({
  /** `main`, a clinic's number, or `others`: every clinic's site beyond the first few. */
  key: z.string(),
  /** Null for `main` and `others`. */
  name: z.string().nullable(),
});

/**
 * Leads by the day they came, one row for each day of the range, oldest first. Neither deleted nor quarantined ones are counted; repeats are.
 */
export const leadsByDay = z.object({
  /** The main site, the busiest clinics' own sites, the others: those that had a lead. */
  sites: z.array(leadSite),
  days: z.array(
    z.object({
      day,
      /** In the order of `sites`; their sum is the day's total. */
      bySite: z.array(count),
      total: count,
      /** Of them with a clinic today. */
      matched: count,
      pending: count,
      success: count,
      failed: count,
    }),
  ),
});
export type LeadsByDay = z.infer<typeof leadsByDay>;

/** From a lead's coming to its first delivery to anybody, by the day it came; null where none was delivered. Seconds. */
export const firstDeliveries = z.object({
  days: z.array(
    z.object({
      day,
      delivered: count,
      medianSeconds: z.number().nullable(),
      /** 95 of 100 were no slower. */
      p95Seconds: z.number().nullable(),
    }),
  ),
});
export type FirstDeliveries = z.infer<typeof firstDeliveries>;

const contactWaits = {
  contacted: count,
  medianSeconds: z.number().nullable(),
  /** 95 of 100 were no slower. */
  p95Seconds: z.number().nullable(),
};

/**
 * From a lead's coming to the first word of a clinic that it was reached or booked: by the day it came, null where none was; and the clinics that took
 * longest, the slowest first. Seconds.
 */
export const firstContacts = z.object({
  days: z.array(z.object({ day, ...contactWaits })),
  slowest: z.array(z.object({ id: z.number().int(), name: z.string(), ...contactWaits })),
});
export type FirstContacts = z.infer<typeof firstContacts>;

/** Every try to deliver, by the day it was made. */
export const deliveryHealth = z.object({
  days: z.array(z.object({ day, delivered: count, failed: count })),
  channels: z.array(z.object({ channel: z.string(), delivered: count, failed: count })),
});
export type DeliveryHealth = z.infer<typeof deliveryHealth>;

/** Three-digit ZIP areas whose leads have no clinic, most leads first. */
export const demand = z.object({
  /** Leads without a clinic: of every area, listed or not, and of none. */
  total: count,
  /** How many areas there are; the list ends after `areasMax`. */
  areaCount: count,
  areas: z.array(
    z.object({
      zip3: z.string(),
      leads: count,
      /** Of the area's centre; null where the table doesn't know the area. */
      point: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
      nearestProvider: z.object({ name: z.string(), miles: z.number() }).nullable(),
    }),
  ),
  /** Leads without a clinic whose ZIP is none. */
  unplaced: count,
});
export type Demand = z.infer<typeof demand>;

/** What there is a file of. */
export const insightFigures = [
  'leads',
  'matches',
  'first-delivery',
  'first-contact',
  'deliveries',
  'demand',
] as const;
export type InsightFigure = (typeof insightFigures)[number];

/** GET /api/insights.csv */
export const insightsExportInput = insightsRange.safeExtend({ figure: z.enum(insightFigures) });
export type InsightsExportInput = z.infer<typeof insightsExportInput>;
