import { expect, test } from 'vitest';
import { z } from 'zod';
import { purgeEvents } from '#server/features/webhooks/recordEvents.ts';
import { leaseDue, listDueQueues } from '#server/features/outbox/lease.ts';
import { leadChannels } from '#shared/admin/deliveries.ts';
import { attemptLeased } from '#test/support/outboxSetup.ts';
import { answers, startReceiver } from '#test/support/receiver.ts';
import { goldenFile, type Matrix, openMatrix } from './matrixApp.ts';

const hourMs = 3_600_000;
const deliveriesOutput = z.object({
  result: z.object({ data: z.object({ deliveries: z.array(z.object({ id: z.uuid() })) }) }),
});

/** Delivers webhooks as a worker does, one at a time, until none is due. Returns the number of attempts. */
async function sendDue({ app: { services } }: Matrix): Promise<number> {
  const { db, now } = services;
  for (let sent = 0; ; sent += 1) {
    const due = await listDueQueues(db, now());
    const endpointId = due.find((queue) => !leadChannels.some((channel) => channel === queue));
    if (endpointId === undefined) return sent;
    const leases = await leaseDue(db, { slots: new Map([[endpointId, 1]]), now: now() });
    await attemptLeased(services, leases);
  }
}

/** The newest webhook of a type. */
async function getWebhook(at: Matrix, eventType: string): Promise<string> {
  const input = encodeURIComponent(JSON.stringify({ eventType, channel: 'webhook' }));
  const answer = await at.app.get(`/trpc/admin.deliveries.list?input=${input}`, at.owner);
  return deliveriesOutput.parse(answer.json()).result.data.deliveries[0]?.id ?? '';
}

test('an owner manages endpoints', async () => {
  await using at = await openMatrix();
  const asOwner = (procedure: string, input: object) => at.call(procedure, input, at.owner);
  const input = {
    url: 'https://one.integrator.example/hook',
    description: 'one',
    types: [],
    payload: 'thin',
  };
  await at.record('creation', () => asOwner('admin.webhooks.create', input));
  await at.record('creation by a manager', () => at.call('admin.webhooks.create', input));
  await at.record('creation with an unsafe address', () =>
    asOwner('admin.webhooks.create', { ...input, url: 'https://user:word@one.integrator.example/' }),
  );
  const id = await at.addEndpoint('two');
  await at.addLead(1);
  await at.record('other types and payload', () =>
    asOwner('admin.webhooks.update', {
      ...input,
      description: 'two',
      id,
      types: ['lead.deleted'],
      payload: 'full',
    }),
  );
  await at.record('a new secret', () => asOwner('admin.webhooks.rotate', { id }));
  await at.record('off', () => asOwner('admin.webhooks.switch', { id, on: false }));
  await at.record('off again', () => asOwner('admin.webhooks.switch', { id, on: false }));
  await at.record('a lead is deleted in between', () => at.rest('DELETE', '/api/leads/1'));
  await at.record('on', () => asOwner('admin.webhooks.switch', { id, on: true }));
  const since = new Date(Date.now() - hourMs).toISOString();
  await at.record('replay of what happened in between', () =>
    asOwner('admin.webhooks.replaySince', { id, since }),
  );
  await at.record('removal', () => asOwner('admin.webhooks.remove', { id }));
  await at.record('removal again', () => asOwner('admin.webhooks.remove', { id }));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('webhooks-endpoints'));
});

test('messages are sent, fail, are replayed and purged', async () => {
  await using receiver = await startReceiver();
  await using at = await openMatrix({ endpoints: false });
  await at.addProvider();
  const id = await at.addEndpoint('receiver', { url: receiver.url });
  const asOwner = (procedure: string, input: object) => at.call(procedure, input, at.owner);
  await at.addLead(1);
  await at.record('the sender, and it arrives', () => sendDue(at));
  await at.record('the sender has nothing', () => sendDue(at));
  await at.record('a test that arrives', () => asOwner('admin.webhooks.test', { id }));
  receiver.become(answers(500, 'broken'));
  await at.record('a test that fails', () => asOwner('admin.webhooks.test', { id }));
  await at.rest('DELETE', '/api/leads/1');
  await at.record('the sender, and it fails', () => sendDue(at));
  await at.advance(30 * hourMs);
  await at.record('the sender, and it fails again', () => sendDue(at));
  await at.record('the sender, before the next attempt is due', () => sendDue(at));
  for (let nth = 2; nth < 8; nth += 1) {
    await at.advance(nth * 30 * hourMs);
    await sendDue(at);
  }
  await at.record('the sender has given up', () => sendDue(at));
  receiver.become(answers(200));
  const webhook = await getWebhook(at, 'lead.deleted');
  await at.record('replay of one message', () => asOwner('admin.deliveries.retry', { ids: [webhook] }));
  await at.record('the sender, and the replay arrives', () => sendDue(at));
  await at.call('admin.leads.restore', { id: 1 });
  receiver.become(answers(410));
  await at.record('the sender, and the receiver is gone', () => sendDue(at));
  await at.record('replay while the endpoint is off', () =>
    asOwner('admin.deliveries.retry', { ids: [webhook] }),
  );
  await at.record('a test while the endpoint is off', () => asOwner('admin.webhooks.test', { id }));
  const { db, now } = at.app.services;
  const before = (time: Date): Date => new Date(time.getTime() - 30 * 24 * hourMs);
  await at.record('purge, before its time', () => purgeEvents(db, before(new Date())));
  await at.advance(40 * 24 * hourMs);
  await at.record('purge after thirty days', () => purgeEvents(db, before(now())));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('webhooks-messages'));
});

test('an endpoint that fails too often for too long is switched off', async () => {
  await using receiver = await startReceiver(answers(400));
  await using at = await openMatrix({ endpoints: false });
  await at.addProvider();
  await at.addEndpoint('receiver', { url: receiver.url });
  for (let nth = 1; nth <= 19; nth += 1) await at.addLead(nth);
  await sendDue(at);
  await at.advance(25 * hourMs);
  await at.addLead(20);
  await at.addLead(21);
  await at.record('the sender, with two messages that are due', () => sendDue(at));
  await at.record('the sender, when it is off', () => sendDue(at));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('webhooks-failing'));
});
