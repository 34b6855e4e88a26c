import { test, vi } from 'vitest';
import { connect } from '#server/db/connect.ts';
import { sealKey, storeEvidence } from '#test/support/evidence.ts';
import { meets } from '#test/support/meets.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { parseConfig } from '../config/config.ts';
import { createDataKeys } from '../security/dataKeys.ts';
import { createMail } from '../features/mail/mailer.ts';
import { createLog } from '../log.ts';
import { maintenanceFailures } from '../metrics.ts';
import { createAuditCounts } from '../features/audit/auditCounts.ts';
import { createFormStepCounter } from '../features/formSteps/formStepCounter.ts';
import { createLoopWatch } from './every.ts';
import { startMaintenance } from './maintenance.ts';

const config = parseConfig({ SMTP_URL: 'smtp://127.0.0.1:9' });
const mail = createMail(config, () => new Date());
const secretKeys = ['maintenance-key-maintenance-key-01'];

/** The periodic work of a process of its own. */
function startOn(database: TestDb, at: AsyncDisposableStack) {
  const { db, close } = connect(database.url, { applicationName: 'maintenance-test', max: 2 });
  at.defer(close);
  const dataKeys = createDataKeys({ db, secretKeys });
  const now = () => new Date();
  const formSteps = createFormStepCounter({ db, now });
  const loops = createLoopWatch();
  const stop = startMaintenance({
    ...{ config, db, dataKeys, log: createLog('silent') },
    ...{ mail, submissions: { formSteps }, auditCounts: createAuditCounts({ db, now }), loops },
  });
  return { formSteps, stop };
}

test.concurrent(
  'a sealer that waits for a lock that is never given back doesn’t hold up the stop',
  async ({ expect }) => {
    await using database = await testDb();
    await using at = new AsyncDisposableStack();
    const { stop } = startOn(database, at);
    const holder = await database.sql.reserve();
    at.defer(() => holder.release());
    await holder`begin`;
    await holder`lock table consent_seal_queue in access exclusive mode`;
    await expect
      .poll(
        () => database.sql`select 1 from pg_locks where not granted and database =
      (select oid from pg_database where datname = current_database())`,
      )
      .toHaveLength(1);
    // The lock is still held when this comes to its end.
    await stop();
    await holder`rollback`;
  },
);

test.concurrent('new evidence is sealed within seconds, without help', async ({ expect }) => {
  meets('D.leads.44');
  await using database = await testDb();
  await using at = new AsyncDisposableStack();
  const { stop } = startOn(database, at);
  at.defer(stop);
  await storeEvidence(database, 2);
  await expect.poll(() => database.sql`select 1 from consent_seals`).toHaveLength(2);
  expect(await database.sql`select 1 from consent_seal_queue`).toEqual([]);
});

test.concurrent('the last counts of form steps are stored at the stop', async ({ expect }) => {
  await using database = await testDb();
  await using at = new AsyncDisposableStack();
  const { formSteps, stop } = startOn(database, at);
  formSteps.count('quiz', 'started');
  await stop();
  expect(await database.sql`select count::int from form_steps`).toEqual([{ count: 1 }]);
});

test('each period that is not off is a task of its own', async ({ expect }) => {
  await using database = await testDb();
  await using at = new AsyncDisposableStack();
  at.defer(startOn(database, at).stop);
  const tasks = (await maintenanceFailures.get()).values.map(({ labels }) => labels.task);
  expect(tasks).toEqual(expect.arrayContaining(['purge junk', 'purge events', 'purge deleted leads']));
  expect(tasks).not.toContain('purge leads');
});

test.concurrent(
  'while no secret opens the key of seals, that is logged and records wait',
  async ({ expect }) => {
    await using database = await testDb();
    await using at = new AsyncDisposableStack();
    await sealKey(database);
    await storeEvidence(database, 1);
    const { db, close } = connect(database.url, { applicationName: 'maintenance-test', max: 2 });
    at.defer(close);
    const warn = vi.fn<(fields: { task: string; err: Error }) => void>();
    const log = Object.assign(createLog('silent'), { warn });
    const stop = startMaintenance({
      config,
      db,
      dataKeys: createDataKeys({ db, secretKeys }),
      log,
      mail,
      submissions: { formSteps: createFormStepCounter({ db, now: () => new Date() }) },
      auditCounts: createAuditCounts({ db, now: () => new Date() }),
      loops: createLoopWatch(),
    });
    at.defer(stop);
    await expect
      .poll(() => warn.mock.calls.at(-1)?.[0])
      .toMatchObject({
        task: 'seal consent',
        err: { message: expect.stringContaining('None of SECRET_KEYS opens') },
      });
    expect(await database.sql`select 1 from consent_seals`).toHaveLength(0);
    expect(await database.sql`select 1 from consent_seal_queue`).toHaveLength(1);
  },
);
