import { expect, test, vi } from 'vitest';
import { sharedSlots, slotsPerEndpoint } from '#server/features/outbox/allocateSlots.ts';
import { startOutboxWorker } from '#server/features/outbox/outboxWorker.ts';
import { eventSetup } from '#test/support/webhookSetup.ts';
import { insertLeads } from '#test/support/leadRows.ts';
import { hangs, startReceiver } from '#test/support/receiver.ts';
import { testDb } from '#test/support/testDb.ts';
import { waitUntil } from '#test/support/waitFor.ts';

test('a new endpoint gets events immediately while four others hang', async () => {
  await using database = await testDb();
  await using receiver = await startReceiver();
  await using hanging = await startReceiver(hangs);
  const { addEndpoint, workerServices } = eventSetup(database);
  for (let count = 0; count < 4; count += 1) await addEndpoint(`${hanging.url}/${count}`);
  await insertLeads(database.db, Array(2 * slotsPerEndpoint).fill({}));
  // Hanging attempts never time out here: another test covers the limit.
  const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
  const worker = startOutboxWorker(workerServices);
  // Each its own slot, and all shared ones.
  await waitUntil(() => hanging.received.length === 4 + sharedSlots);
  await addEndpoint(receiver.url);
  await insertLeads(database.db, Array(20).fill({}));
  await waitUntil(() => receiver.received.length === 20);
  expect(hanging.received).toHaveLength(4 + sharedSlots);
  await worker.stop(50);
  limit.mockRestore();
});
