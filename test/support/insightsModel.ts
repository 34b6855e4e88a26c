import type { DeliveryAttemptRow, LeadRow } from '#server/db/schema/index.ts';
import { daysInRange, type InsightsRange, type LeadsByDay, sitesMax } from '#shared/admin/insights.ts';
import type { InsightsPopulation } from './insightsPopulation.ts';

const dayMs = 86_400_000;

export const toDay = (at: Date): string => at.toISOString().slice(0, 10);

export function daysIn(range: InsightsRange): string[] {
  return Array.from({ length: daysInRange(range) }, (_, index) =>
    toDay(new Date(Date.parse(range.from) + index * dayMs)),
  );
}

export function isIn({ from, to }: InsightsRange, at: Date): boolean {
  return toDay(at) >= from && toDay(at) <= to;
}

/** The counted leads of a day or a range. */
export function counted(population: InsightsPopulation, range: InsightsRange): LeadRow[] {
  return population.rows.filter(
    ({ createdAt, deletedAt, quarantinedAt }) =>
      deletedAt === null && quarantinedAt === null && isIn(range, createdAt),
  );
}

function siteModel(
  population: InsightsPopulation,
  range: InsightsRange,
): { sites: LeadsByDay['sites']; placeOf: (row: LeadRow) => string } {
  const own = counted(population, range).filter(({ siteProviderId }) => siteProviderId !== null);
  const busyness = Map.groupBy(own, ({ siteProviderId }) => siteProviderId);
  const ranked = [...busyness.entries()].toSorted(
    ([a, ofA], [b, ofB]) => ofB.length - ofA.length || Number(a) - Number(b),
  );
  const busiest = ranked.slice(0, sitesMax).map(([id]) => id);
  const sites = [
    ...(counted(population, range).length > own.length ? [{ key: 'main', name: null }] : []),
    ...busiest.map((id) => ({
      key: String(id),
      name: population.providers.find((provider) => provider.id === id)?.name ?? '',
    })),
    ...(ranked.length > sitesMax ? [{ key: 'others', name: null }] : []),
  ];
  return {
    sites,
    placeOf: ({ siteProviderId: id }) =>
      id === null ? 'main' : busiest.includes(id) ? String(id) : 'others',
  };
}

export function leadsModel(population: InsightsPopulation, range: InsightsRange): LeadsByDay {
  const { sites, placeOf } = siteModel(population, range);
  return {
    sites,
    days: daysIn(range).map((day) => {
      const rows = counted(population, { from: day, to: day });
      const withStatus = (status: string): number =>
        rows.filter(({ crmSyncStatus }) => (crmSyncStatus ?? 'pending') === status).length;
      return {
        day,
        bySite: sites.map(({ key }) => rows.filter((row) => placeOf(row) === key).length),
        total: rows.length,
        matched: rows.filter(({ providerId }) => providerId !== null).length,
        pending: withStatus('pending'),
        success: withStatus('success'),
        failed: withStatus('failed'),
      };
    }),
  };
}

/** Milliseconds from each matched lead to its first delivery, ascending, without leads that have none. */
export function listWaits(population: InsightsPopulation, day: string): number[] {
  return counted(population, { from: day, to: day })
    .filter(({ providerId }) => providerId !== null)
    .flatMap(({ id, createdAt }) => {
      const delivered = population.attempts
        .filter(({ leadId, outcome }) => leadId === id && outcome === 'delivered')
        .map(({ at }) => at.getTime() - createdAt.getTime());
      return delivered.length === 0 ? [] : [Math.min(...delivered)];
    })
    .toSorted((a, b) => a - b);
}

/** Median and 95th percentile of ascending milliseconds, in seconds. */
export function waitModel(sorted: readonly number[]) {
  const at = (index: number): number => sorted[index] ?? 0;
  const { length } = sorted;
  const median = (at(Math.floor((length - 1) / 2)) + at(Math.floor(length / 2))) / 2;
  return {
    medianSeconds: length === 0 ? null : median / 1000,
    p95Seconds: length === 0 ? null : at(Math.ceil(length * 0.95) - 1) / 1000,
  };
}

/** Milliseconds from each lead of a range to its first contact, ascending, without leads that have none. */
export function listContacts(population: InsightsPopulation, range: InsightsRange): number[] {
  return counted(population, range)
    .flatMap(({ id, createdAt }) => {
      const times = population.outcomes
        .filter(({ leadId, outcome }) => leadId === id && ['reached', 'booked'].includes(outcome))
        .map(({ at }) => at.getTime() - createdAt.getTime());
      return times.length === 0 ? [] : [Math.min(...times)];
    })
    .toSorted((a, b) => a - b);
}

export function listOutcomes(attempts: readonly DeliveryAttemptRow[]): { delivered: number; failed: number } {
  const of = (wanted: string): number => attempts.filter(({ outcome }) => outcome === wanted).length;
  return { delivered: of('delivered'), failed: of('failed') };
}
