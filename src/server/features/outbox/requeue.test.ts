import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { deliveries } from '#server/db/schema/index.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { testDb } from '#test/support/testDb.ts';
import { leadDeletedReason } from './cancelDeliveries.ts';
import { requeueCancelled } from './requeue.ts';

const now = new Date('2026-06-11T08:00:00Z');
const leasedUntil = new Date(now.getTime() + 20_000);

test('deliveries of a restored lead are due now, or after an attempt in progress', async () => {
  await using database = await testDb();
  const { db } = database;
  const { id: leadId } = await insertLead(db);
  const cancelled = { leadId, state: 'cancelled', reason: leadDeletedReason } as const;
  const idle = await insertDelivery(database, cancelled);
  const inProgress = await insertDelivery(database, { ...cancelled, channel: 'lead-email', leasedUntil });
  const other = await insertDelivery(database, { leadId, state: 'cancelled', channel: 'provider-email' });
  await requeueCancelled(db, [leadId], { reason: leadDeletedReason, now });
  const dueAt = async (id: string): Promise<Date | null | undefined> => {
    const [row] = await db.select().from(deliveries).where(eq(deliveries.id, id));
    return row?.nextAttemptAt;
  };
  expect(await dueAt(idle)).toEqual(now);
  expect((await dueAt(inProgress))?.getTime()).toBeGreaterThan(leasedUntil.getTime());
  expect(await dueAt(other)).toBeNull();
});
