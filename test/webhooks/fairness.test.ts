import { expect, test, vi } from 'vitest';
import { startEventSender } from '#server/features/webhooks/webhookSender.ts';
import { eventSetup } from '#test/support/webhookSetup.ts';
import { insertLeads } from '#test/support/leadRows.ts';
import { hangs, startReceiver } from '#test/support/receiver.ts';
import { testDb } from '#test/support/testDb.ts';

const someMs = 10_000;

test('an endpoint added while four others hang with everything they were given is told of what comes at once', async () => {
  await using database = await testDb();
  await using receiver = await startReceiver();
  await using hanging = await startReceiver(hangs);
  const { addEndpoint, staffAction } = eventSetup(database);
  for (let count = 0; count < 4; count += 1) await addEndpoint(`${hanging.url}/${count}`);
  await insertLeads(database.db, Array(40).fill({}));
  // Those that hang do so for good: how long they may is another test's.
  const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
  const sender = startEventSender(staffAction.services);
  // Each its own hand, and all that are shared.
  await vi.waitUntil(() => hanging.received.length === 4 + 24, someMs);
  await addEndpoint(receiver.url);
  await insertLeads(database.db, Array(20).fill({}));
  await vi.waitUntil(() => receiver.received.length === 20, someMs);
  expect(hanging.received).toHaveLength(28);
  await sender.stop(50);
  limit.mockRestore();
});
