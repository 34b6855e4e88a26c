import { expect, test } from 'vitest';
import { createWakeSignal } from '#server/features/outbox/wakeSignal.ts';
import { startOutboxWorker } from '#server/features/outbox/outboxWorker.ts';
import { buildLines } from '#test/support/logLines.ts';
import { setUpDeliveries } from '#test/support/outboxSetup.ts';
import { waitUntil } from '#test/support/waitFor.ts';

test('rounds that fail one after another are one log line, also after a recovery', async () => {
  await using setup = await setUpDeliveries();
  const { services, database, queue, row } = setup;
  const { log, lines } = buildLines();
  let rounds = 0;
  const worker = startOutboxWorker(
    { ...services, log, wakeSignal: createWakeSignal() },
    { pollMs: 20, onRound: () => (rounds += 1) },
  );
  const failed = () => lines().filter(({ event }) => event === 'delivery.lease-failed').length;
  const failTwice = async (): Promise<void> => {
    await database.sql`alter table deliveries rename to hidden_deliveries`;
    const before = rounds;
    // The round in progress may still have succeeded.
    await waitUntil(() => rounds >= before + 3);
    await database.sql`alter table hidden_deliveries rename to deliveries`;
  };
  await failTwice();
  expect(failed()).toBe(1);
  const { id } = await queue();
  await expect.poll(async () => (await row(id)).state).toBe('delivered');
  await failTwice();
  expect(failed()).toBe(2);
  await worker.stop(0);
});
