import { type Connection, connect, type Database } from '#server/db/connect.ts';
import { deliveryHealth } from '#server/features/insights/deliveryHealth.ts';
import { demand } from '#server/features/insights/demand.ts';
import { firstContacts } from '#server/features/insights/firstContacts.ts';
import { firstDeliveries } from '#server/features/insights/firstDeliveries.ts';
import { leadsByDay } from '#server/features/insights/leadsByDay.ts';
import { providerFigures } from '#server/features/insights/providerFigures.ts';
import { summary } from '#server/features/insights/summary.ts';
import { loadZipTable } from '#server/features/matching/zipTable.ts';
import { daysInRange, type InsightsRange } from '#shared/admin/insights.ts';
import { addDeliveryAttempts, addOutcomes } from './adminData.ts';
import type { Figure } from './figure.ts';
import { median } from './load.ts';
import { listPlans } from './plans.ts';

const rounds = 5;

/** Days of the benchmark's leads, and how long their figures may take: after ten seconds they are given up. */
const ranges: { range: InsightsRange; medianMsMax: number }[] = [
  { range: { from: '2026-09-01', to: '2026-09-30' }, medianMsMax: 1000 },
  { range: { from: '2025-10-01', to: '2026-10-01' }, medianMsMax: 1000 },
];

const figures: Record<string, (db: Database, range: InsightsRange) => Promise<unknown>> = {
  'leads by day': leadsByDay,
  'first deliveries': firstDeliveries,
  'first contacts': firstContacts,
  'delivery health': deliveryHealth,
  demand: (db, range) => demand({ db, zipTable: loadZipTable() }, range),
  'key figures': summary,
  providers: providerFigures,
};

/** These look up the outcomes and deliveries of the few leads that their index found. */
const withLookups = ['key figures', 'providers'];

/** A plan that reads one of the large tables itself, not only its indexes. */
const readsTable =
  /(?:(?<!Only )Scan using \w+|(?:Seq|Heap) Scan) on (?:leads|delivery_attempts|lead_outcomes)\b/;

interface AskedFigure {
  name: string;
  medianMs: number;
  medianMsMax: number;
  plans: string[];
}

/** Asks for every figure. */
export async function askFigures(connection: Connection, times = rounds): Promise<AskedFigure[]> {
  const results: AskedFigure[] = [];
  for (const { range, medianMsMax } of ranges)
    for (const [what, ask] of Object.entries(figures)) {
      const name = `${what}, ${daysInRange(range)} days`;
      await ask(connection.db, range);
      const elapsed: number[] = [];
      for (let round = 0; round < times; round += 1) {
        const startedAt = performance.now();
        await ask(connection.db, range);
        elapsed.push(performance.now() - startedAt);
      }
      const plans = await listPlans(connection, (db) => ask(db, range));
      results.push({ name, medianMs: median(elapsed), medianMsMax, plans });
    }
  return results;
}

/**
 * (j) The dashboard's insights over a month and over the longest range there is, with a delivery try of each channel
 * for every lead.
 */
export async function adminInsights(
  url: string,
  leads: number,
  say: (line: string) => void,
): Promise<Figure[]> {
  const connection = connect(url, { applicationName: 'bench-insights', max: 2 });
  try {
    say('adding delivery tries and outcomes');
    await addDeliveryAttempts(connection.db);
    await addOutcomes(connection.db);
    const results = await askFigures(connection);
    for (const { name, medianMs, plans } of results) {
      say(`${name}: ${medianMs.toFixed(1)} ms`);
      for (const plan of plans) say(`    ${plan}`);
      const mayLookUp = withLookups.some((figure) => name.startsWith(figure));
      const ofTable = mayLookUp ? undefined : plans.find((plan) => readsTable.test(plan));
      if (ofTable !== undefined) throw new Error(`${name} reads more than an index: ${ofTable}`);
    }
    return results.map(({ name, medianMs, medianMsMax }) => ({
      name: `insights of ${leads.toLocaleString('en')} leads, ${name}`,
      measured: medianMs,
      baseline: null,
      unit: 'ms',
      against: `median of ${rounds}`,
      bar: { of: 'measured' as const, sign: '<=' as const, value: medianMsMax },
    }));
  } finally {
    await connection.close();
  }
}
