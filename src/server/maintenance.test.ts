import { expect, test } from 'vitest';
import { connect } from '#server/db/connect.ts';
import { testDb } from '#test/support/testDb.ts';
import { parseConfig } from './config.ts';
import { createMail } from './features/mail/mailer.ts';
import { createLog } from './log.ts';
import { startMaintenance } from './maintenance.ts';

test('a sealer that waits for a lock another process never gives back does not hold up the stop', async () => {
  await using database = await testDb();
  await using at = new AsyncDisposableStack();
  const { db, close } = connect(database.url, { applicationName: 'maintenance-test', max: 2 });
  at.defer(close);
  const mail = createMail(parseConfig({ SMTP_URL: 'smtp://127.0.0.1:9' }), () => new Date());
  const stop = startMaintenance({ db, log: createLog('silent'), now: () => new Date(), mail });
  const holder = await database.sql.reserve();
  at.defer(() => holder.release());
  await holder`begin`;
  await holder`lock table consent_seal_queue in access exclusive mode`;
  await expect
    .poll(
      () => database.sql`select 1 from pg_locks where not granted and database =
      (select oid from pg_database where datname = current_database())`,
      { timeout: 15_000 },
    )
    .toHaveLength(1);
  // The lock is still held when this comes to its end.
  await stop();
  await holder`rollback`;
});
