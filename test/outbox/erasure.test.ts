import { expect, test } from 'vitest';
import { createHubspotCrm } from '#server/features/crm/hubspotCrm.ts';
import { retryNow } from '#server/features/outbox/attemptDelivery.ts';
import { erasePerson } from '#server/features/erasure/erasePerson.ts';
import { forgetRemoteIds } from '#server/features/outbox/notices.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { deliverOne, type DeliverySetup, setUpDeliveries } from '#test/support/outboxSetup.ts';
import { hubspot } from '#test/support/hubspot.ts';
import { tracesIn } from '#test/support/erasureSetup.ts';
import { answers, hangs, takes } from '#test/support/receiver.ts';
import { waitUntil } from '#test/support/waitFor.ts';

const leaseMs = 25_000;
const mina = { firstName: 'Wilhelmina', lastName: 'Quarrington', email: 'mina@mail.example' };
const traces = [...Object.values(mina), 'contact-of-mina'];

async function erase({ database, clock }: DeliverySetup, leadId: number): Promise<void> {
  await erasePerson(staffActionOn(database, clock), { leadId, reason: 'asked' });
}

/** The delivery of an erasure to the CRM. */
async function getErasure({ database }: DeliverySetup, leadId: number): Promise<string> {
  const [row] = await database.sql<{ id: string }[]>`
    select id from deliveries where lead_id = ${leadId} and template = 'erased'`;
  if (row === undefined) throw new Error('no delivery of the erasure');
  return row.id;
}

test('an attempt during an erasure stores only the contact id for the CRM’s erasure', async () => {
  await using at = await setUpDeliveries();
  const { database, receiver, clock } = at;
  const answer = Promise.withResolvers<void>();
  const body = JSON.stringify({ contact_id: 'contact-of-mina', note: 'QUARRINGTON, w.' });
  receiver.become((response) => void answer.promise.then(() => response.end(body)));
  const { lead, id } = await at.queue(mina);
  const attempting = at.deliver(id);
  await waitUntil(() => receiver.received.length === 1);
  await erase(at, lead.id);
  const erasure = await getErasure(at, lead.id);
  await at.deliver(erasure);
  expect(receiver.received).toHaveLength(1);

  answer.resolve();
  await attempting;
  expect(await at.row(id)).toMatchObject({
    state: 'cancelled',
    remoteId: 'contact-of-mina',
    leasedUntil: null,
  });
  expect(await at.attempts(id)).toEqual([
    { outcome: 'delivered', status: 'HTTP 200', answer: null, duration_ms: expect.any(Number) },
  ]);
  expect(await tracesIn(database, traces)).toEqual(['public.deliveries: contact-of-mina']);

  clock.ms += leaseMs;
  receiver.become(takes);
  await at.deliver(erasure);
  expect(JSON.parse(receiver.received[1]?.body ?? '')).toMatchObject({
    type: 'lead.erased',
    data: { id: lead.id, contact_id: 'contact-of-mina' },
  });
  await forgetRemoteIds(database.db);
  expect(await tracesIn(database, traces)).toEqual([]);
});

test('no later attempt and no retry by staff sends data of an erased person', async () => {
  await using at = await setUpDeliveries(answers(503));
  const { lead, id: waiting } = await at.queue(mina);
  await at.deliver(waiting);
  at.receiver.become(answers(400, 'Wilhelmina is not wanted'));
  const { id: failed } = await at.queue({ ...mina, phone: '303 555 0188' });
  await at.deliver(failed);
  expect((await at.row(waiting)).state).toBe('queued');
  expect((await at.row(failed)).state).toBe('failed');
  const receivedBefore = at.receiver.received.length;

  await erase(at, lead.id);
  at.clock.ms += 24 * 3_600_000;
  at.receiver.become(takes);
  await at.deliver(waiting);
  for (const id of [waiting, failed]) expect((await retryNow(at.services, id)).state).toBe('cancelled');
  expect(at.receiver.received).toHaveLength(receivedBefore);
  expect(await tracesIn(at.database, traces)).toEqual([]);
});

test('an erasure waits for a dead process’s attempt and asks staff to check HubSpot', async () => {
  const { behave, contacts, erased } = hubspot();
  await using at = await setUpDeliveries(behave);
  const deliver = createHubspotCrm({
    url: new URL(at.receiver.url).origin,
    token: 'pat-na1-token',
    allowLoopback: true,
    intervalMs: 1,
  });
  const crm = { name: 'crm', heldReason: () => null, deliver } as const;
  const services = { ...at.services, channels: { ...at.services.channels, crm } };
  const never = new AbortController().signal;
  const [known, lost, unsent] = [
    await at.queue(mina),
    await at.queue({ email: 'lost@mail.example' }),
    await at.queue({ email: 'unsent@mail.example' }),
  ];
  await deliverOne(services, known.id, never);
  expect(contacts.size).toBe(1);
  // The state that a killed process leaves.
  const leasedUntil = new Date(at.clock.ms + leaseMs).toISOString();
  await at.database.sql`
    update deliveries set attempts = 1, leased_until = ${leasedUntil}, next_attempt_at = ${leasedUntil} where id = ${lost.id}`;
  for (const { lead } of [known, lost, unsent]) await erase(at, lead.id);
  at.clock.ms += leaseMs;
  for (const { lead } of [known, lost]) await deliverOne(services, await getErasure(at, lead.id), never);
  expect(erased).toEqual(['900000000']);
  expect(await at.row(await getErasure(at, known.lead.id))).toMatchObject({ state: 'delivered' });
  expect(await at.row(await getErasure(at, lost.lead.id))).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining(`whether it took lead ${lost.lead.id}`),
  });
  // The lead was never sent to the CRM.
  await expect(getErasure(at, unsent.lead.id)).rejects.toThrow('no delivery of the erasure');
});

test('an attempt that hangs during an erasure ends and is not retried', async () => {
  await using at = await setUpDeliveries(hangs);
  const { lead, id } = await at.queue(mina);
  const stopping = new AbortController();
  const attempting = at.deliver(id, stopping.signal);
  await waitUntil(() => at.receiver.received.length === 1);
  await erase(at, lead.id);
  stopping.abort();
  await attempting;
  expect(await at.row(id)).toMatchObject({ state: 'cancelled', nextAttemptAt: null, leasedUntil: null });
  at.clock.ms += leaseMs;
  await at.deliver(id);
  expect(at.receiver.received).toHaveLength(1);
  expect(await tracesIn(at.database, traces)).toEqual([]);
});
