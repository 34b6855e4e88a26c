import type { InsightFigure, InsightsExportInput, InsightsRange } from '#shared/admin/insights.ts';
import type { Services } from '#server/services.ts';
import { deliveryHealth } from '../insights/deliveryHealth.ts';
import { demand } from '../insights/demand.ts';
import { firstContacts } from '../insights/firstContacts.ts';
import { firstDeliveries } from '../insights/firstDeliveries.ts';
import { formCompletionByDay } from '../insights/formCompletion.ts';
import { countVisits } from '../insights/pageRates.ts';
import { leadsByDay } from '../insights/leadsByDay.ts';
import { byteOrderMark, csvLine, type CsvValue } from './csv.ts';

type Deps = Pick<Services, 'zipTable'> & { limits: Pick<Services['limits'], 'insightReads'> };
/** With the database of the read. */
type Reading = Pick<Services, 'db' | 'zipTable'>;

/** The header is the first line. */
type Lines = CsvValue[][];

async function leads({ db }: Reading, range: InsightsRange): Promise<Lines> {
  const { sites, days } = await leadsByDay(db, range);
  // Two providers may have the same name, and one may be called `total`.
  const columns = sites.map(({ key, name }) => (name === null ? key : `${name} (#${key})`));
  return [['day', ...columns, 'total'], ...days.map(({ day, bySite, total }) => [day, ...bySite, total])];
}

async function matches({ db }: Reading, range: InsightsRange): Promise<Lines> {
  const { days } = await leadsByDay(db, range);
  const toRate = (matched: number, total: number) => (total === 0 ? null : (matched / total).toFixed(4));
  const lines = days.map(({ day, total, matched }) => [day, total, matched, toRate(matched, total)]);
  return [['day', 'total', 'matched', 'rate'], ...lines];
}

/** Attempts by day, beside the CRM status of the leads created that day. */
async function deliveries({ db }: Reading, range: InsightsRange): Promise<Lines> {
  const [{ days: tried }, { days: came }] = [await deliveryHealth(db, range), await leadsByDay(db, range)];
  const statesByDay = new Map(came.map((day) => [day.day, day]));
  return [
    ['day', 'delivered', 'failed', 'crm_pending', 'crm_success', 'crm_failed'],
    ...tried.map(({ day, delivered, failed }) => {
      const { pending = 0, success = 0, failed: crmFailed = 0 } = statesByDay.get(day) ?? {};
      return [day, delivered, failed, pending, success, crmFailed];
    }),
  ];
}

/** All areas: there are fewer than a thousand. */
async function areas(deps: Reading, range: InsightsRange): Promise<Lines> {
  const { areas: found } = await demand(deps, range, Infinity);
  return [
    ['zip3', 'leads', 'latitude', 'longitude', 'nearest_clinic', 'nearest_miles'],
    ...found.map(({ zip3, leads: count, point, nearestProvider }) => [
      zip3,
      count,
      point?.latitude ?? null,
      point?.longitude ?? null,
      nearestProvider?.name ?? null,
      nearestProvider?.miles.toFixed(1) ?? null,
    ]),
  ];
}

const figures: Record<InsightFigure, (deps: Reading, range: InsightsRange) => Promise<Lines>> = {
  leads,
  matches,
  async 'first-delivery'({ db }, range) {
    const { days } = await firstDeliveries(db, range);
    const lines = days.map((row) => [row.day, row.delivered, row.medianSeconds, row.p95Seconds]);
    return [['day', 'delivered', 'median_seconds', 'p95_seconds'], ...lines];
  },
  async 'first-contact'({ db }, range) {
    const { days } = await firstContacts(db, range);
    const lines = days.map((row) => [row.day, row.contacted, row.medianSeconds, row.p95Seconds]);
    return [['day', 'contacted', 'median_seconds', 'p95_seconds'], ...lines];
  },
  deliveries,
  demand: areas,
  async forms({ db }, range) {
    const days = await formCompletionByDay(db, range);
    const lines = days.map(({ day, form, started, zip, sent }) => [day, form, started, zip, sent]);
    return [['day', 'form', 'started', 'zip_entered', 'sent'], ...lines];
  },
  async pages({ db }, range) {
    const visits = await countVisits(db, range);
    const lines = visits.map((row) => [
      row.page,
      row.campaign,
      row.starts,
      row.leads,
      row.reached,
      row.booked,
    ]);
    return [['first_page', 'campaign', 'started', 'leads', 'reached', 'booked'], ...lines];
  },
};

/**
 * One figure as CSV, a line per day, area, day and form, or page and campaign. Queries the database when the first line
 * is requested.
 */
export async function* insightsCsv(
  deps: Deps,
  { figure, from, to }: InsightsExportInput,
): AsyncGenerator<string, void> {
  const lines = await deps.limits.insightReads((db) => figures[figure]({ ...deps, db }, { from, to }));
  yield byteOrderMark + lines.map((line) => csvLine(line)).join('');
}
