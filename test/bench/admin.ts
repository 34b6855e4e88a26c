import { sql } from 'drizzle-orm';
import { type Connection, connect } from '#server/db/connect.ts';
import { listAdminProviders } from '#server/features/providers/adminProvidersQueries.ts';
import {
  countLeads,
  countWorklist,
  firstPageLimits,
  listLeads,
} from '#server/features/leads/list/leadList.ts';
import { leadListInput } from '#shared/admin/adminLeads.ts';
import { adminProviderListInput } from '#shared/admin/adminProviders.ts';
import { addListDeliveries } from './adminData.ts';
import type { Figure } from './figure.ts';
import { median } from './load.ts';
import { listPlans } from './plans.ts';

const rounds = 20;
const medianMsMax = 150;
/** Every provider of a group at once, to be drawn a screenful at a time. */
const providersMsMax = 500;

/** What staff ask for, by what it is called in the report. */
const asked: Record<string, Parameters<typeof leadListInput.parse>[0]> = {
  'first page': {},
  'page 50': { page: 50 },
  'oldest first': { sort: 'created_at' },
  'by last name': { sort: 'last_name' },
  'by ZIP, backwards': { sort: '-zip_code' },
  'one provider': { providerId: 7 },
  unmatched: { match: 'unmatched' },
  quarantined: { quarantined: true },
  repeats: { repeat: true },
  deleted: { deleted: true },
  'deleted, by name': { deleted: true, sort: 'last_name' },
  'CRM failed': { status: 'failed' },
  'CRM success': { status: 'success' },
  'a month': { from: '2025-03-01', to: '2025-03-31' },
  'failed and unmatched, by name': { status: 'failed', match: 'unmatched', sort: 'last_name' },
  'outcome booked': { outcome: 'booked' },
  'outcome none yet': { outcome: 'none' },
  'outcome overdue': { outcome: 'overdue' },
  'outcome overdue, by name': { outcome: 'overdue', sort: 'last_name' },
  'follow up today': { followUpBy: '2099-12-31', quarantined: false },
  'delivery failed': { delivery: 'failed' },
  'delivery failed, by name': { delivery: 'failed', sort: 'last_name' },
  returned: { match: 'unmatched', outcome: 'wrong-area' },
  'search: full name': { search: 'jeffrey coppergate' },
  'search: surname': { search: 'elmsworth' },
  'search: part of a surname': { search: 'worth' },
  'search: first name': { search: 'robert' },
  'search: apostrophe': { search: "o'connor" },
  'search: surname first, accents': { search: 'Núñez, José' },
  'search: e-mail': { search: 'james.ashgrove' },
  'search: provider of e-mail': { search: 'mail7.example' },
  'search: phone': { search: '(303) 555-0142' },
  'search: last digits': { search: '0142' },
  'search: ZIP': { search: '80202' },
  'search: number': { search: '#4711' },
  'search: two letters': { search: 'el' },
  'search: nobody': { search: 'zyzzyva' },
  'search and filters': { search: 'mill', status: 'failed', repeat: true },
};

export interface TimedQuery {
  name: string;
  medianMs: number;
  /** Of counting a total that the list only estimated; null: it was exact. */
  countMs: number | null;
  total: number | null;
  totalIsEstimate: boolean;
  /** One line each, of every query the list made. */
  plans: string[];
}

async function findMedian(ask: () => Promise<unknown>, times: number): Promise<number> {
  const elapsed: number[] = [];
  for (let round = 0; round < times; round += 1) {
    const startedAt = performance.now();
    await ask();
    elapsed.push(performance.now() - startedAt);
  }
  return median(elapsed);
}

/** Asks everything; throws when a plan reads the table of leads from one end to the other. */
export async function askAll(connection: Connection, times = rounds): Promise<TimedQuery[]> {
  const results: TimedQuery[] = [];
  for (const [name, input] of Object.entries(asked)) {
    const parsed = leadListInput.parse(input);
    const list = (db = connection.db) => listLeads(db, parsed, firstPageLimits);
    const count = () => countLeads(connection.db, parsed);
    const { total, totalIsEstimate } = await list();
    const medianMs = await findMedian(list, times);
    const countMs = totalIsEstimate && parsed.search !== undefined ? await findMedian(count, times) : null;
    const plans = await listPlans(connection, list);
    const sequential = plans.find((plan) => /Seq Scan on leads/.test(plan));
    if (sequential !== undefined) throw new Error(`${name} reads the whole table: ${sequential}`);
    results.push({ name, medianMs, countMs, total, totalIsEstimate, plans });
  }
  return results;
}

/**
 * What needs work, of each kind, as the chips above the list show it. Throws when a plan reads the table of leads from
 * one end to the other.
 */
export async function askWorklist(connection: Connection, times = rounds): Promise<TimedQuery> {
  const name = 'what needs work';
  const count = (db = connection.db) => countWorklist(db, { followUpBy: '2099-12-31' });
  const counts = await count();
  const medianMs = await findMedian(count, times);
  const plans = await listPlans(connection, count);
  const sequential = plans.find((plan) => /Seq Scan on leads/.test(plan));
  if (sequential !== undefined) throw new Error(`${name} reads the whole table: ${sequential}`);
  const total = counts.clinic + counts.crm + counts.unmatched + counts.quarantined;
  return { name, medianMs, countMs: null, total, totalIsEstimate: false, plans };
}

const providersAsked = {
  'all active': {},
  'fifty of a search': { search: '80', limit: 50 },
};

/** The lists of providers, one in twenty of them inactive. */
async function askProviders({ db }: Connection, say: (line: string) => void): Promise<Figure[]> {
  const config = { matchRadiusMiles: 100, wordpressUrl: null };
  const figures: Figure[] = [];
  for (const [name, input] of Object.entries(providersAsked)) {
    const parsed = adminProviderListInput.parse(input);
    const { providers, counts } = await listAdminProviders({ db, config }, parsed);
    const measured = await findMedian(() => listAdminProviders({ db, config }, parsed), rounds);
    say(`providers, ${name}: ${measured.toFixed(1)} ms, ${providers.length.toLocaleString('en')}`);
    figures.push({
      name: `list of ${counts.active.toLocaleString('en')} active providers, ${name}`,
      measured,
      baseline: null,
      unit: 'ms',
      against: `median of ${rounds}, ${providers.length.toLocaleString('en')} rows`,
      bar: { of: 'measured', sign: '<=', value: providersMsMax },
    });
  }
  return figures;
}

/**
 * (h) The dashboard's lists of leads, whatever is asked of it, with the leads of `addAdminData`, and of providers.
 */
export async function adminList(url: string, leads: number, say: (line: string) => void): Promise<Figure[]> {
  const connection = connect(url, { applicationName: 'bench-admin', max: 1 });
  try {
    await addListDeliveries(connection.db);
    await connection.db.execute(sql`select pg_stat_reset()`);
    const results = [...(await askAll(connection)), await askWorklist(connection)];
    for (const { name, medianMs, countMs, total, totalIsEstimate, plans } of results) {
      const count = countMs === null ? '' : `, counted in ${countMs.toFixed(1)} ms`;
      say(
        `${name}: ${medianMs.toFixed(1)} ms, ${totalIsEstimate ? 'about ' : ''}${(total ?? 0).toLocaleString('en')}${count}`,
      );
      for (const plan of plans) say(`    ${plan}`);
    }
    const ofLeads = results.map(({ name, medianMs, total, totalIsEstimate }) => ({
      name: `list of ${leads.toLocaleString('en')} leads, ${name}`,
      measured: medianMs,
      baseline: null,
      unit: 'ms',
      against: `median of ${rounds}, total ${totalIsEstimate ? 'estimated at' : 'counted:'} ${(total ?? 0).toLocaleString('en')}`,
      bar: { of: 'measured' as const, sign: '<=' as const, value: medianMsMax },
    }));
    return [...ofLeads, ...(await askProviders(connection, say))];
  } finally {
    await connection.close();
  }
}
