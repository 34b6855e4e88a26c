import { expect, test } from 'vitest';
import { parseConfig } from '#server/config/config.ts';
import { retrySeconds } from '#shared/admin/deliveries.ts';
import { insertProvider } from '#test/support/factories.ts';
import {
  crmEnvironment,
  deliverOne,
  type DeliverySetup,
  insertDelivery,
  setUpDeliveries,
} from '#test/support/outboxSetup.ts';
import { answers, type Behaviour, takes } from '#test/support/receiver.ts';
import { testSecret } from '#test/support/testKeys.ts';
import { sealKey } from '../../providers/sealedKey.ts';
import { createChannels } from '../channels/deliveryChannels.ts';
import { createHeldTender } from '../releaseHeld.ts';

const hourMs = 3_600_000;

async function listAlerts({ database }: DeliverySetup): Promise<string[]> {
  const rows = await database.sql<{ alert: string }[]>`
    select kind || ' ' || subject as alert from alerts order by kind, subject`;
  return rows.map(({ alert }) => alert);
}

async function listTasks({ database }: DeliverySetup): Promise<string[]> {
  const rows = await database.sql<{ task: string }[]>`
    select kind || case when done_at is null then '' else ' done' end as task from staff_tasks order by id`;
  return rows.map(({ task }) => task);
}

/** Attempts a delivery through all of its round. */
async function useUpRound(at: DeliverySetup, id: string): Promise<void> {
  for (const _ of retrySeconds) {
    await at.deliver(id);
    at.clock.ms = (await at.row(id)).nextAttemptAt?.getTime() ?? at.clock.ms;
  }
}

test.each([503, 401, 404])(
  'a CRM that answers %i to every attempt holds the lead, and is tried hourly',
  async (status) => {
    await using at = await setUpDeliveries(answers(status));
    const tend = createHeldTender(at.services);
    const { lead, id } = await at.queue();
    await useUpRound(at, id);
    expect(await at.row(id)).toMatchObject({ state: 'held', attempts: 8 });
    expect(await at.statusOf(lead)).toBe('pending');
    expect(await listAlerts(at)).toContain('deliveries-held crm');
    expect(await listTasks(at)).toEqual(['crm-held']);
    // The clock is at the hour.
    await tend();
    await at.deliver(id);
    expect(await at.row(id)).toMatchObject({ state: 'held', attempts: 9 });
    expect(await listTasks(at)).toEqual(['crm-held']);

    at.receiver.become(takes);
    at.clock.ms += hourMs;
    await tend();
    await at.deliver(id);
    expect(await at.row(id)).toMatchObject({ state: 'delivered', attempts: 10 });
    await tend();
    expect([await listAlerts(at), await listTasks(at)]).toEqual([[], ['crm-held done']]);
  },
);

test('five leads in a row that the CRM refuses are ours, and one accepted ends it', async () => {
  await using at = await setUpDeliveries(answers(422, '{"message":"zip: unknown field"}'));
  const queued = await Promise.all(Array.from({ length: 6 }, () => at.queue()));
  const ids = queued.map(({ id }) => id);
  const states = async (): Promise<string[]> => Promise.all(ids.map(async (id) => (await at.row(id)).state));
  for (const id of ids.slice(0, 4)) await at.deliver(id);
  expect(await states()).toEqual(['failed', 'failed', 'failed', 'failed', 'queued', 'queued']);
  for (const id of ids.slice(4)) await at.deliver(id);
  expect(await states()).toEqual(Array(6).fill('queued'));
  expect(await listAlerts(at)).toEqual(['channel-refused crm']);
  const flags = await at.database.sql`select distinct delivery_failed, crm_sync_status from leads`;
  expect([...flags]).toEqual([{ delivery_failed: false, crm_sync_status: 'pending' }]);

  at.clock.ms += hourMs;
  const [first = '', second = ''] = ids;
  at.receiver.become(takes);
  await at.deliver(first);
  expect(await listAlerts(at)).toEqual([]);
  at.receiver.become(answers(422));
  await at.deliver(second);
  expect((await states()).slice(0, 3)).toEqual(['delivered', 'failed', 'queued']);
});

test('five refusals of one lead that staff retry are not five leads', async () => {
  await using at = await setUpDeliveries(answers(400));
  const { id } = await at.queue();
  for (let attempts = 1; attempts <= 6; attempts += 1) {
    await at.deliver(id);
    expect(await at.row(id)).toMatchObject({ state: 'failed', attempts });
    await at.database.sql`
      update deliveries set state = 'queued', finished_at = null, next_attempt_at = now() - interval '1 year', attempts_before_round = attempts where id = ${id}`;
  }
  expect(await listAlerts(at)).toEqual([]);
});

test('five refusals in over a week in which the CRM got nothing are no row', async () => {
  await using at = await setUpDeliveries(answers(422));
  for (let nth = 0; nth < 5; nth += 1) {
    const { id } = await at.queue();
    await at.deliver(id);
    expect(await at.row(id)).toMatchObject({ state: 'failed' });
    at.clock.ms += 48 * hourMs;
  }
  await createHeldTender(at.services)();
  expect(await listAlerts(at)).toEqual([]);
});

test('refusals recorded at the same moment are judged together a minute later', async () => {
  await using at = await setUpDeliveries(answers(400));
  const ids: string[] = [];
  for (let nth = 0; nth < 5; nth += 1) ids.push((await at.queue()).id);
  for (const id of ids.slice(0, 4)) await at.deliver(id);
  // As by another process that has not seen the first four.
  const last = ids[4] ?? '';
  await at.database.sql`update delivery_attempts set refusal = null`;
  await at.deliver(last);
  await at.database.sql`update delivery_attempts set refusal = 'recipient'`;
  expect(await at.row(last)).toMatchObject({ state: 'failed' });
  await createHeldTender(at.services)();
  for (const id of ids) expect(await at.row(id)).toMatchObject({ state: 'queued' });
});

test('a CRM that refuses a provider’s key holds its leads until the record changes', async () => {
  const byKey: Behaviour = (response, received, nth) =>
    answers(received.headers['authorization'] === 'Bearer old-key' ? 401 : 200)(response, received, nth);
  await using at = await setUpDeliveries(byKey);
  const { db, sql } = at.database;
  const keyed = await insertProvider(db);
  const other = await insertProvider(db);
  const setKey = (key: string) =>
    sql`update providers set mpxapi = ${sealKey([testSecret], keyed.id, key)} where id = ${keyed.id}`;
  await setKey('old-key');
  at.clock.ms = Date.now();
  const refused = await at.queue({ providerId: keyed.id });
  const accepted = await at.queue({ providerId: other.id });
  for (const { id } of [refused, accepted]) await at.deliver(id);
  expect(await at.row(refused.id)).toMatchObject({ state: 'held', holdCause: 'ours', attempts: 1 });
  expect(await at.row(accepted.id)).toMatchObject({ state: 'delivered' });
  expect(await listAlerts(at)).toEqual([`crm-key-refused ${keyed.id}`]);
  const tend = createHeldTender(at.services);
  await tend();
  expect(await at.row(refused.id)).toMatchObject({ state: 'held' });

  at.clock.ms = Date.now();
  await setKey('new-key');
  await tend();
  await at.deliver(refused.id);
  expect(await at.row(refused.id)).toMatchObject({ state: 'delivered' });
  await tend();
  expect(await listAlerts(at)).toEqual([]);
});

test('a key that no secret opens is an alert of its provider until it is set again', async () => {
  await using at = await setUpDeliveries(takes);
  const { db, sql } = at.database;
  const [keyed, other] = [await insertProvider(db), await insertProvider(db)];
  await sql`update providers set mpxapi = ${sealKey(['x'.repeat(32)], keyed.id, 'a key')} where id = ${keyed.id}`;
  at.clock.ms = Date.now();
  const sealed = await at.queue({ providerId: keyed.id });
  const accepted = await at.queue({ providerId: other.id });
  const tend = createHeldTender(at.services);
  await tend();
  for (const { id } of [sealed, accepted]) await at.deliver(id);
  await tend();
  expect(await at.row(sealed.id)).toMatchObject({ state: 'held', holdCause: 'ours' });
  expect(await listAlerts(at)).toEqual([`crm-key-refused ${keyed.id}`]);
  at.clock.ms = Date.now();
  await sql`update providers set mpxapi = ${sealKey([testSecret], keyed.id, 'a key')} where id = ${keyed.id}`;
  await tend();
  await at.deliver(sealed.id);
  await tend();
  expect(await at.row(sealed.id)).toMatchObject({ state: 'delivered' });
  expect(await listAlerts(at)).toEqual([]);
});

test('a wrong address of the CRM holds every lead; the next start sends to a right one', async () => {
  const wrong = () => ({
    CRM_WEBHOOK_URL: 'http://10.0.0.1/hook',
    CRM_WEBHOOK_SECRET: crmEnvironment({ url: '' })['CRM_WEBHOOK_SECRET'] ?? '',
  });
  await using at = await setUpDeliveries(takes, wrong);
  const queued = await Promise.all(Array.from({ length: 30 }, () => at.queue()));
  for (const { id } of queued) await at.deliver(id);
  for (const { id } of queued)
    expect(await at.row(id)).toMatchObject({
      ...{ state: 'held', holdCause: 'ours', attempts: 0 },
      reason: 'The CRM has a private address, so no request was sent.',
    });
  expect(await listAlerts(at)).toEqual(['channel-refused crm']);

  const config = parseConfig({ SECRET_KEYS: testSecret, ...crmEnvironment(at.receiver) });
  const restarted = { ...at.services, channels: createChannels(config) };
  await createHeldTender(restarted)();
  for (const { id } of queued) await deliverOne(restarted, id);
  for (const { id } of queued) expect(await at.row(id)).toMatchObject({ state: 'delivered' });
  expect(at.receiver.received).toHaveLength(30);
  expect(await listAlerts(at)).toEqual([]);
});

test('a held email to a person that is too old to be expected is canceled', async () => {
  await using at = await setUpDeliveries();
  const lead = (await at.queue()).lead;
  const old = { leadId: lead.id, createdAt: new Date(at.clock.ms - 91 * 24 * hourMs) };
  const held = { ...old, state: 'held', attempts: 8, holdCause: 'ours', nextAttemptAt: new Date(0) } as const;
  const person = await insertDelivery(at.database, { ...held, channel: 'lead-email' });
  const crm = await insertDelivery(at.database, { ...held, channel: 'crm' });
  await createHeldTender(at.services)();
  expect(await at.row(person)).toMatchObject({ state: 'cancelled' });
  expect(await at.row(crm)).toMatchObject({ state: 'queued' });
});

test.each(['later', 'ours'] as const)(
  'what 1.0.0 holds again after a rollback is released (cause %s)',
  async (holdCause) => {
    await using at = await setUpDeliveries(takes);
    const { lead } = await at.queue();
    const due = new Date(at.clock.ms + hourMs);
    const held = { leadId: lead.id, state: 'held', attempts: 8, holdCause, nextAttemptAt: due } as const;
    const again = await insertDelivery(at.database, held);
    const other = await insertDelivery(at.database, held);
    // As by its worker, in two steps: queued, and held because the CRM isn't configured there.
    await at.database.sql`
      update deliveries set state = 'queued', reason = null, next_attempt_at = now(), finished_at = null where id = ${again}`;
    await at.database.sql`
      update deliveries set state = 'held', reason = 'No CRM is configured.', next_attempt_at = null, leased_until = null where id = ${again}`;
    await createHeldTender(at.services)();
    expect(await at.row(again)).toMatchObject({ state: 'queued', holdCause: null });
    expect(await at.row(other)).toMatchObject({ state: 'held', holdCause });
    await at.deliver(again);
    expect(await at.row(again)).toMatchObject({ state: 'delivered' });
  },
);
