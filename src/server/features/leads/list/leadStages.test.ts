import { and, asc, desc, eq } from 'drizzle-orm';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { leadListInput } from '#shared/admin/adminLeads.ts';
import type { LeadStage } from '#shared/admin/leadStage.ts';
import { leadOutcomes as outcomes } from '#shared/leads/leadOutcomes.ts';
import { deliveries, leadOutcomes, leads } from '#server/db/schema/index.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { findTrack } from '../../mail/leadTrack.ts';
import { listLeads } from './leadList.ts';

const start = Date.parse('2026-06-01T12:00:00Z');
const provider = fc.nat({ max: 1 });
const step = fc.oneof(
  fc.record({
    kind: fc.constant('email' as const),
    provider,
    state: fc.constantFrom('delivered', 'failed', 'cancelled'),
    template: fc.constantFrom('lead', 'withdrawn'),
    channel: fc.constantFrom('provider-email', 'lead-email'),
  }),
  fc.record({ kind: fc.constant('report' as const), provider, outcome: fc.constantFrom(...outcomes) }),
  fc.record({ kind: fc.constant('retract' as const), provider }),
  fc.record({ kind: fc.constant('move' as const), provider: fc.option(provider) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Does to a lead what the product does: the rows that emails, reports, their cancellation and moves leave. */
async function live(own: TestDb, providerIds: readonly number[], history: readonly Step[]): Promise<number> {
  const { db } = own;
  const idOf = (nth: number | null): number | null => (nth === null ? null : (providerIds[nth] ?? null));
  const { id: leadId } = await insertLead(db, { providerId: idOf(0), createdAt: new Date(start) });
  for (const [index, change] of history.entries()) {
    const at = new Date(start + (index + 1) * 60_000);
    const providerId = idOf(change.provider);
    if (change.kind === 'email') {
      const { state, template, channel } = change;
      await insertDelivery(own, { ...{ leadId, providerId, state, template, channel }, createdAt: at });
    } else if (change.kind === 'move') {
      const matchMethod = providerId === null ? 'none' : 'manual';
      await db.update(leads).set({ providerId, matchMethod }).where(eq(leads.id, leadId));
    } else if (providerId !== null) {
      const isOfProvider = and(eq(leadOutcomes.leadId, leadId), eq(leadOutcomes.providerId, providerId));
      const [last] = await db.select().from(leadOutcomes).where(isOfProvider).orderBy(desc(leadOutcomes.id));
      if (change.kind === 'report')
        await db.insert(leadOutcomes).values({ leadId, providerId, outcome: change.outcome, by: 'Test', at });
      else if (last !== undefined) await db.delete(leadOutcomes).where(eq(leadOutcomes.id, last.id));
    }
  }
  return leadId;
}

type Stages = Pick<LeadStage, 'sentAt' | 'reachedAt' | 'bookedAt'>;

/** Goes through the events of a lead one by one. */
async function followEvents({ db }: TestDb, leadId: number): Promise<Stages> {
  const [lead] = await db.select().from(leads).where(eq(leads.id, leadId));
  const stages: Stages = { sentAt: null, reachedAt: null, bookedAt: null };
  const sent = await db.select().from(deliveries).where(eq(deliveries.leadId, leadId));
  for (const { channel, template, state, providerId, finishedAt } of sent) {
    const isLead = channel === 'provider-email' && template === 'lead' && state === 'delivered';
    if (!isLead || providerId !== lead?.providerId || finishedAt === null) continue;
    const at = finishedAt.toISOString();
    if (stages.sentAt === null || at < stages.sentAt) stages.sentAt = at;
  }
  const reports = await db
    .select()
    .from(leadOutcomes)
    .where(eq(leadOutcomes.leadId, leadId))
    .orderBy(asc(leadOutcomes.id));
  for (const { outcome, at, providerId } of reports) {
    if (providerId !== lead?.providerId) continue;
    const isContact = outcome === 'reached' || outcome === 'booked';
    stages.reachedAt = isContact ? (stages.reachedAt ?? at.toISOString()) : null;
    stages.bookedAt = outcome === 'booked' ? (stages.bookedAt ?? at.toISOString()) : null;
  }
  return stages;
}

test('the list’s stages, and those in messages, follow the events of random histories', async () => {
  await using own = await testDb();
  const providers = [await insertProvider(own.db), await insertProvider(own.db)];
  const ids = providers.map(({ id }) => id);
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (history) => {
      const leadId = await live(own, ids, history);
      const expected = await followEvents(own, leadId);
      const {
        leads: [lead],
      } = await listLeads(own.db, leadListInput.parse({ limit: 1 }));
      expect(lead?.id).toBe(leadId);
      expect(lead?.stage).toEqual({
        ...{ receivedAt: new Date(start).toISOString(), ...expected },
        ...{ isBroken: false, hasOutcome: false },
      });
      const track = await findTrack(
        own.db,
        { id: leadId, createdAt: new Date(start) },
        lead?.provider_id ?? null,
      );
      expect([track.sent, track.reached, track.booked]).toEqual(Object.values(expected));
      for (const [stage, at] of Object.entries(expected)) if (at !== null) seen.add(stage);
    }),
    { numRuns: 60, seed: 34 },
  );
  expect([...seen].toSorted()).toEqual(['bookedAt', 'reachedAt', 'sentAt']);
});
