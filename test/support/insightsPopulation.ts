import type { Database } from '#server/db/connect.ts';
import {
  deliveryAttempts,
  type DeliveryAttemptInsert,
  type DeliveryAttemptRow,
  type LeadInsert,
  leadOutcomes,
  type LeadRow,
  leads,
  type ProviderRow,
} from '#server/db/schema/index.ts';
import { crmStatuses } from '#shared/admin/adminLeads.ts';
import { leadChannels, deliveryOutcomes } from '#shared/admin/deliveries.ts';
import { sitesMax } from '#shared/admin/insights.ts';
import { leadOutcomes as outcomeNames } from '#shared/leads/leadOutcomes.ts';
import { insertProvider } from './factories.ts';
import { seededRandom } from '#scripts/sampleData/seededRandom.ts';
import { insertDeliveryAttempts, insertLeads } from './leadRows.ts';

type OutcomeRow = typeof leadOutcomes.$inferSelect;

export interface InsightsPopulation {
  providers: ProviderRow[];
  rows: LeadRow[];
  attempts: DeliveryAttemptRow[];
  outcomes: OutcomeRow[];
}

const dayMs = 86_400_000;
export const firstDayOfPopulation = Date.parse('2026-02-20');
export const daysOfPopulation = 20;
/** A day without leads. */
const quietDay = 7;
const zips = ['80202', '80205', '10016', '00501', '33131', '00000', 'K1A 0B1', '802'];

/** Seeded, so each run makes the same choices. */
class Choices {
  readonly random = seededRandom(2026);

  /** Prefers the first elements. */
  pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.random() * this.random() * list.length)];
  }

  isOf(share: number): boolean {
    return this.random() < share;
  }

  /** A list with fewer than `than` elements. */
  fewer<T>(than: number, make: () => T): T[] {
    return Array.from({ length: Math.floor(this.random() * than) }, make);
  }

  /** A fifth are at a day's first or last millisecond. */
  moment(): Date {
    const day = Math.floor(this.random() * daysOfPopulation);
    const ms = this.isOf(0.2) ? (this.isOf(0.5) ? 0 : dayMs - 1) : Math.floor(this.random() * dayMs);
    return new Date(firstDayOfPopulation + (day === quietDay ? 0 : day) * dayMs + ms);
  }

  /** Mostly a short time later. */
  after({ createdAt }: LeadRow, days: number): Date {
    return new Date(createdAt.getTime() + Math.floor(this.random() ** 4 * days * dayMs));
  }
}

function getLead(choices: Choices, providerIds: readonly number[]): Partial<LeadInsert> {
  const isQuarantined = choices.isOf(0.1);
  return {
    createdAt: choices.moment(),
    siteProviderId: choices.isOf(0.4) ? null : (choices.pick(providerIds) ?? null),
    providerId: choices.isOf(0.4) ? null : (choices.pick(providerIds) ?? null),
    zipCode: zips[Math.floor(choices.random() * zips.length)] ?? '',
    crmSyncStatus: choices.pick([...crmStatuses, null]) ?? null,
    deletedAt: choices.isOf(0.1) ? new Date() : null,
    quarantinedAt: isQuarantined ? new Date() : null,
    quarantineReason: isQuarantined ? 'honeypot' : null,
  };
}

function listAttempts(
  choices: Choices,
  lead: LeadRow,
): (Pick<DeliveryAttemptInsert, 'channel' | 'outcome' | 'at'> & { leadId: number })[] {
  return choices.fewer(5, () => ({
    leadId: lead.id,
    channel: choices.pick(leadChannels) ?? 'crm',
    outcome: choices.pick(deliveryOutcomes) ?? 'failed',
    at: choices.after(lead, 3),
  }));
}

function getTold(
  choices: Choices,
  lead: LeadRow,
  providerIds: readonly number[],
): (typeof leadOutcomes.$inferInsert)[] {
  return choices.fewer(4, () => ({
    leadId: lead.id,
    providerId: choices.pick(providerIds) ?? 0,
    outcome: choices.pick(outcomeNames) ?? 'booked',
    by: 'Clinic',
    at: choices.after(lead, 9),
  }));
}

/**
 * Six hundred leads over twenty days, with up to four attempts and three outcomes each, of more providers than are
 * listed by name. The same at each call.
 */
export async function insertInsightsPopulation(db: Database): Promise<InsightsPopulation> {
  const choices = new Choices();
  const providers: ProviderRow[] = [];
  for (let index = 0; index < sitesMax + 4; index += 1) providers.push(await insertProvider(db));
  const ids = providers.map(({ id }) => id);
  await insertLeads(
    db,
    Array.from({ length: 600 }, () => getLead(choices, ids)),
  );
  const rows = await db.select().from(leads);
  await insertDeliveryAttempts(
    db,
    rows.flatMap((row) => listAttempts(choices, row)),
  );
  await db.insert(leadOutcomes).values(rows.flatMap((row) => getTold(choices, row, ids)));
  return {
    providers,
    rows,
    attempts: await db.select().from(deliveryAttempts),
    outcomes: await db.select().from(leadOutcomes),
  };
}
