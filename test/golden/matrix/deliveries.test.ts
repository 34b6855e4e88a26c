import { expect, test } from 'vitest';
import { parseConfig } from '#server/config/config.ts';
import { createChannels } from '#server/features/outbox/channels/deliveryChannels.ts';
import { leaseOne } from '#test/support/outboxSetup.ts';
import { deliverOne } from '#test/support/outboxSetup.ts';
import { releaseHeld } from '#server/features/outbox/releaseHeld.ts';
import { crmEnvironment } from '#test/support/outboxSetup.ts';
import { mailServer } from '#scripts/demo/mailServer.ts';
import { answers, answersAfter, startReceiver } from '#test/support/receiver.ts';
import { testSecret } from '#test/support/testKeys.ts';
import { boulder, goldenFile, type Matrix, openMatrix } from './matrixApp.ts';

const dayMs = 86_400_000;

/** What a worker does with the lead's newest delivery by a channel. */
async function attempt({ app, deliveryIds }: Matrix, leadId: number, channel: string): Promise<void> {
  const id = (await deliveryIds(leadId, channel)).at(-1);
  if (id === undefined) throw new Error('the lead has no such delivery');
  await deliverOne(app.services, id, new AbortController().signal);
}

test('attempts that arrive', async () => {
  await using receiver = await startReceiver();
  await using at = await openMatrix({ env: crmEnvironment(receiver) });
  const first = await at.addProvider();
  const second = await at.addProvider({ zipCode: boulder });
  const leadId = await at.addLead(1);
  await at.record('e-mail to the lead', () => attempt(at, leadId, 'lead-email'));
  await at.record('e-mail to the provider', () => attempt(at, leadId, 'provider-email'));
  await at.record('push to the CRM', () => attempt(at, leadId, 'crm'));
  await at.record('the same again', () => attempt(at, leadId, 'crm'));
  const assign = (providerId: number) => at.rest('PATCH', `/api/leads/${leadId}/provider`, { providerId });
  await at.record('assignment to another provider', () => assign(second));
  // What an assignment by staff causes waits ten seconds.
  await at.advance(60_000);
  await at.record('push to the CRM about it', () => attempt(at, leadId, 'crm'));
  await at.record('e-mail to the new provider', () => attempt(at, leadId, 'provider-email'));
  await at.record('assignment back, within a day', () => assign(first));
  await at.record('deletion', () => at.rest('DELETE', `/api/leads/${leadId}`));
  await at.record('restoration', () => at.call('admin.leads.restore', { id: leadId }));
  expect(receiver.received).toHaveLength(2);
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('deliveries-arrive'));
});

test('attempts to push to the CRM that fail, and retries by staff', async () => {
  await using receiver = await startReceiver(answers(503, 'busy'));
  await using at = await openMatrix({ env: crmEnvironment(receiver) });
  await at.addProvider();
  const leadId = await at.addLead(1);
  await at.record('the first attempt', () => attempt(at, leadId, 'crm'));
  for (let nth = 2; nth < 8; nth += 1) {
    await at.advance(nth * dayMs);
    await attempt(at, leadId, 'crm');
  }
  await at.record('before the next is due', () => attempt(at, leadId, 'crm'));
  await at.advance(8 * dayMs);
  await at.record('the last attempt', () => attempt(at, leadId, 'crm'));
  const retrySync = () => at.rest('POST', `/api/leads/${leadId}/retry-sync`);
  await at.record('retry by staff that fails', retrySync);
  receiver.become(answers(400, 'no'));
  await at.record('retry by staff that is refused for good', retrySync);
  const ids = [leadId];
  await at.record('retry of several leads', () => at.call('admin.leads.bulkRetrySync', { ids }));
  await at.record('the worker’s attempt', () => attempt(at, leadId, 'crm'));
  const deliveryIds = await at.deliveryIds(leadId, 'crm');
  await at.record('retry from the list of deliveries', () =>
    at.call('admin.deliveries.retry', { ids: deliveryIds }),
  );
  receiver.become(answers(200));
  await at.record('the worker’s attempt that arrives', () => attempt(at, leadId, 'crm'));
  await at.record('retry of what arrived', retrySync);
  await at.record('retry of several that arrived', () => at.call('admin.leads.bulkRetrySync', { ids }));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('deliveries-crm'));
});

test('what failed for good, when the lead goes to another provider or is deleted', async () => {
  await using receiver = await startReceiver(answers(400, 'no'));
  await using at = await openMatrix({ env: crmEnvironment(receiver) });
  await at.addProvider();
  const second = await at.addProvider({ zipCode: boulder });
  const [moved, deleted] = [await at.addLead(1), await at.addLead(2)];
  await at.record('failure for good', () => attempt(at, moved, 'crm'));
  await at.record('assignment to another provider', () =>
    at.rest('PATCH', `/api/leads/${moved}/provider`, { providerId: second }),
  );
  await at.advance(60_000);
  await at.record('failure of the new push', () => attempt(at, moved, 'crm'));
  await attempt(at, deleted, 'crm');
  await at.record('deletion of a lead whose push failed', () => at.rest('DELETE', `/api/leads/${deleted}`));
  await at.record('attempt about a deleted lead', () => attempt(at, deleted, 'crm'));
  await at.record('retry about a deleted lead', () => at.rest('POST', `/api/leads/${deleted}/retry-sync`));
  await at.record('its restoration', () => at.call('admin.leads.restore', { id: deleted }));
  const quarantined = await at.addLead(3, { token: 'forged' });
  await at.record('retry about a quarantined lead', () =>
    at.rest('POST', `/api/leads/${quarantined}/retry-sync`),
  );
  await at.record('retry of several, one quarantined', () =>
    at.call('admin.leads.bulkRetrySync', { ids: [deleted, quarantined] }),
  );
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('deliveries-failed'));
});

test('e-mail that fails, is withheld, and is sent again by staff', async () => {
  let code = 451;
  await using server = await mailServer({
    onRcptTo: (_address, _session, callback) =>
      callback(code === 250 ? undefined : Object.assign(new Error('not now'), { responseCode: code })),
  });
  await using at = await openMatrix({ env: { SMTP_URL: `smtp://127.0.0.1:${server.port}` } });
  await at.addProvider();
  const leadId = await at.addLead(1);
  await at.record('put off', () => attempt(at, leadId, 'lead-email'));
  code = 550;
  const retryEmail = () => at.rest('POST', `/api/leads/${leadId}/retry-email`);
  await at.record('retry by staff that is refused for good', retryEmail);
  await at.record('refused for good, to the provider', () => attempt(at, leadId, 'provider-email'));
  code = 250;
  await at.record('retry by staff that arrives', retryEmail);
  await at.record('sent again by staff', retryEmail);
  const repeat = await at.addLead(1, { first_name: 'Patricia' });
  await at.record('a repeat within a day, withheld', () => attempt(at, repeat, 'lead-email'));
  await at.record('sent again by staff all the same', () =>
    at.rest('POST', `/api/leads/${repeat}/retry-email`),
  );
  for (let nth = 0; nth < 3; nth += 1) await retryEmail();
  await at.record('sent again too often', retryEmail);
  const deliveryIds = await at.deliveryIds(leadId, 'provider-email');
  await at.record('retry from the list of deliveries', () =>
    at.call('admin.deliveries.retry', { ids: deliveryIds }),
  );
  await at.record('the worker’s attempt', () => attempt(at, leadId, 'provider-email'));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('deliveries-email'));
});

test('deliveries that are held until something is configured, or for too long', async () => {
  await using receiver = await startReceiver();
  await using at = await openMatrix({ env: { SMTP_URL: 'smtp://127.0.0.1:9' }, crm: false });
  await at.addProvider();
  const leadId = await at.addLead(1);
  const { app } = at;
  const { db, config, now } = app.services;
  await at.record('a lead while no CRM is configured', () => at.addLead(2));
  await at.record('retry by staff while none is', () => at.rest('POST', `/api/leads/${leadId}/retry-sync`));
  await at.record('retry of several while none is', () =>
    at.call('admin.leads.bulkRetrySync', { ids: [leadId] }),
  );
  await at.record('the queue is mended, and none is', () => releaseHeld(db, app.services.channels, now()));
  const held = { ...app.services.channels };
  const nothing = () => 'Not configured.';
  const withoutMail = { ...held, 'lead-email': { ...held['lead-email'], heldReason: nothing } };
  const services = { ...app.services, channels: withoutMail };
  const [email] = await at.deliveryIds(leadId, 'lead-email');
  if (email === undefined) throw new Error('the lead has no e-mail');
  await at.record('an attempt while no mail is configured', () =>
    deliverOne(services, email, new AbortController().signal),
  );
  const configured = createChannels(parseConfig({ SECRET_KEYS: testSecret, ...crmEnvironment(receiver) }));
  await at.record('the queue is mended, with a CRM', () =>
    releaseHeld(db, { ...withoutMail, crm: configured.crm }, now()),
  );
  expect(config.crm).toBeNull();
  await at.advance(91 * dayMs);
  await at.record('the queue is mended after ninety days', () => releaseHeld(db, withoutMail, now()));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('deliveries-held'));
});

test('an attempt whose process ends, and one during which the lead is deleted', async () => {
  const released = Promise.withResolvers<void>();
  await using receiver = await startReceiver(answersAfter(released.promise));
  await using at = await openMatrix({ env: crmEnvironment(receiver) });
  await at.addProvider();
  const leadId = await at.addLead(1);
  const { services } = at.app;
  const [email] = await at.deliveryIds(leadId, 'provider-email');
  if (email === undefined) throw new Error('the lead has no e-mail');
  await at.record('an attempt begins', async () => (await leaseOne(services, email)) !== null);
  await at.record('nobody else makes it', () => attempt(at, leadId, 'provider-email'));
  await at.advance(5 * 60_000);
  await at.record('the next attempt finds that it ended', () => attempt(at, leadId, 'provider-email'));
  await at.record('deletion during an attempt', async () => {
    const attempting = attempt(at, leadId, 'crm');
    await expect.poll(() => receiver.received.length).toBe(1);
    const status = await at.rest('DELETE', `/api/leads/${leadId}`);
    released.resolve();
    await attempting;
    return status;
  });
  await at.record('restoration', () => at.call('admin.leads.restore', { id: leadId }));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('deliveries-interrupted'));
});

test('a newer message to the same recipient ends the failure of an older one', async () => {
  await using server = await mailServer({
    onRcptTo: (_address, _session, callback) =>
      callback(Object.assign(new Error('no'), { responseCode: 550 })),
  });
  await using at = await openMatrix({ env: { SMTP_URL: `smtp://127.0.0.1:${server.port}` } });
  await at.addProvider();
  await at.addProvider({ zipCode: boulder });
  const [returned, suppressed, erased] = [await at.addLead(1), await at.addLead(2), await at.addLead(3)];
  await at.record('failure of the e-mail to the lead', () => attempt(at, returned, 'lead-email'));
  await at.record('return to the next provider', () =>
    at.rest('POST', `/api/leads/${returned}/outcome`, { outcome: 'wrong-area' }),
  );
  await at.record('failure of the e-mail to the provider', () => attempt(at, suppressed, 'provider-email'));
  await at.record('suppression, with a notice to the provider', () =>
    at.call('admin.suppressions.add', { id: suppressed }),
  );
  await attempt(at, erased, 'provider-email');
  const input = { leadId: erased, confirmation: String(erased), reason: 'asked' };
  await at.record('erasure, with a notice to the provider', () =>
    at.call('admin.personalData.erase', input, at.owner),
  );
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('deliveries-newer'));
});
