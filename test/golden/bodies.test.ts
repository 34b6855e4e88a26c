import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventSchemas } from '#server/features/webhooks/eventSchemas.ts';
import { eventTypes, testType } from '#shared/admin/webhooks.ts';
import type { LeadCreateInput } from '#shared/leads/leads.ts';
import { crmEnvironment, webhookSecret } from '#test/support/outboxSetup.ts';
import { insertProvider } from '#test/support/factories.ts';
import { hubspot } from '#test/support/hubspot.ts';
import { answers, type Received, type Receiver, startReceiver } from '#test/support/receiver.ts';
import { type StaffHeaders, signedIn } from '#test/support/staff.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';
import { feedRecord, wordpressFeed } from '#scripts/demo/wordpressFeed.ts';
import { expectGoldens, goldenFile } from './goldenFiles.ts';
import { noneQueued } from './queuedDeliveries.ts';
import { nthRequest, requestForm, requestsText } from './outgoingRequests.ts';

const kit: LeadCreateInput = {
  first_name: 'Kit',
  last_name: 'Elmsworth',
  email: 'kit@example.com',
  phone: '(303) 555-0101',
  zip_code: '80202',
  acceptance_consent: true,
  acceptance_message: 'I agree to be contacted.',
};
const created = z.object({ id: z.number().int() });
const endpointCreated = z.object({
  result: z.object({ data: z.object({ endpoint: z.object({ id: z.string() }), secret: z.string() }) }),
});

interface Staff {
  app: TestApp;
  owner: StaffHeaders;
}

/** One at the ZIP code of the leads, and one far away. */
async function insertProviders({ db }: TestApp, emailOfFar = 'front@harbor.example') {
  const quay = { name: 'Quay Clinic', zipCode: '80202', domain: 'quay.example' };
  const harbor = { name: 'Harbor Clinic', zipCode: '10016', domain: 'harbor.example' };
  const near = await insertProvider(db, { ...quay, email: 'front@quay.example' });
  const far = await insertProvider(db, { ...harbor, email: emailOfFar });
  return { near, far };
}

async function sendLead({ app }: Staff, overrides: Partial<LeadCreateInput> = {}): Promise<number> {
  const answer = await app.post('/api/leads', { ...kit, ...overrides });
  expect(answer.status).toBe(201);
  return created.parse(answer.json()).id;
}

/** A request of staff, which must succeed. */
async function ask({ app, owner }: Staff, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await app.request(method, path, {
    headers: { ...owner, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json();
}

function erase(staff: Staff, leadId: number): Promise<unknown> {
  const erasure = { leadId, confirmation: String(leadId), reason: 'asked' };
  return ask(staff, 'POST', '/trpc/admin.personalData.erase', erasure);
}

const sent = z.object({ data: z.unknown() });
const typed = z.object({ type: z.string() });

function getType({ body }: Received): string {
  return typed.parse(JSON.parse(body)).type;
}

const failure = z.object({ data: z.object({ channel: z.string() }) });

/** The channels that `lead.delivery_failed` names, each once. */
function failedChannels({ received }: Receiver): string[] {
  const failures = received.filter((request) => getType(request) === 'lead.delivery_failed');
  const channels = failures.map(({ body }) => failure.parse(JSON.parse(body)).data.channel);
  return [...new Set(channels)].toSorted();
}

test('each webhook event type has the same headers and body, thin and full', async () => {
  await using receiver = await startReceiver();
  await using crm = await startReceiver(answers(400));
  const elsewhere = { acf: { zip_code: '98101', latitude: '47.61', longitude: '-122.33' } };
  await using feed = await wordpressFeed([feedRecord(1, elsewhere)]);
  await using app = await testApp({
    worker: true,
    env: { WORDPRESS_URL: feed.url, ...crmEnvironment(crm) },
  });
  const { far } = await insertProviders(app, 'not an address');
  const staff = { app, owner: await signedIn(app, 'owner') };
  const secrets: Record<string, string> = {};
  const endpointIds: string[] = [];
  for (const payload of ['thin', 'full']) {
    const input = { url: `${receiver.url}/${payload}`, description: '', types: [], payload };
    const { endpoint, secret } = endpointCreated.parse(
      await ask(staff, 'POST', '/trpc/admin.webhooks.create', input),
    ).result.data;
    secrets[`/hook/${payload}`] = secret;
    endpointIds.push(endpoint.id);
  }
  const getFirst = (type: string, path: string): Received | undefined =>
    receiver.received.find((request) => request.path === path && getType(request) === type);
  const arrived = async (type: string): Promise<void> => {
    for (const path of Object.keys(secrets)) await expect.poll(() => getFirst(type, path)).toBeDefined();
  };

  await ask(staff, 'POST', '/api/sync', { kind: 'full' });
  await arrived('sync.completed');
  await arrived('provider.updated');
  feed.records = [feedRecord(2, elsewhere)];
  await ask(staff, 'POST', '/api/sync', { kind: 'full', force: true });
  await arrived('provider.deactivated');

  const leadId = await sendLead(staff);
  await arrived('lead.created');
  await arrived('lead.delivery_failed');
  await ask(staff, 'PATCH', `/api/leads/${leadId}/provider`, { providerId: far.id });
  await arrived('lead.assigned');
  // The CRM refuses every lead, and the provider's address takes no email.
  await expect.poll(() => failedChannels(receiver)).toEqual(['clinic-email', 'crm']);
  await ask(staff, 'POST', `/api/leads/${leadId}/outcome`, { outcome: 'booked' });
  await arrived('lead.updated');
  await ask(staff, 'DELETE', `/api/leads/${leadId}`);
  await arrived('lead.deleted');
  await erase(staff, leadId);
  await arrived('lead.consent_revoked');
  await arrived('lead.erased');
  for (const id of endpointIds) await ask(staff, 'POST', '/trpc/admin.webhooks.test', { id });
  await arrived(testType);

  const texts: Record<string, string> = {};
  for (const type of [...eventTypes, testType] as const) {
    const forms = Object.entries(secrets).map(([path, secret]) => {
      const request = getFirst(type, path);
      if (request === undefined) throw new Error(`${type} did not arrive`);
      // The signature is of these headers and this body.
      new Webhook(secret).verify(request.body, request.headers);
      expect(getType(request)).toBe(type);
      const { data } = sent.parse(JSON.parse(request.body));
      z.strictObject(eventSchemas[type].data.shape).parse(data);
      return [path.replace('/hook/', ''), requestForm(request)] as const;
    });
    texts[type] = requestsText(Object.fromEntries(forms));
  }
  await expectGoldens('webhooks', '.json', texts);
});

/** Everything that a CRM is sent about a person's leads, in order. */
async function crmRequests(
  receiver: Receiver,
  env: Record<string, string>,
): Promise<Record<string, Received>> {
  await using app = await testApp({ worker: true, env });
  const staff = { app, owner: await signedIn(app, 'owner') };
  const { far } = await insertProviders(app);
  await ask(staff, 'POST', '/trpc/admin.providers.update', { id: far.id, mpxapi: 'key-of-harbor' });
  const found: Record<string, Received> = {};
  const note = async (name: string): Promise<void> => {
    found[name] = await nthRequest(receiver, Object.keys(found).length + 1);
  };

  await sendLead(staff);
  await note('created');
  await sendLead(staff, { phone: '(303) 555-0102' });
  await note('correction');
  await sendLead(staff, { phone: '(303) 555-0102', first_name: 'Christopher' });
  await note('repeat');
  const robin = { email: 'robin@example.com', phone: '(303) 555-0103', zip_code: '99501' };
  const id = await sendLead(staff, robin);
  await note('no provider');
  await noneQueued(app, staff.owner);
  await ask(staff, 'PATCH', `/api/leads/${id}/provider`, { providerId: far.id });
  await note('assigned to a provider with its own key');
  await noneQueued(app, staff.owner);
  await erase(staff, id);
  // One without a provider's key and one with it, in any order.
  const count = Object.keys(found).length;
  const erasures = [await nthRequest(receiver, count + 1), await nthRequest(receiver, count + 2)];
  const toKey = ({ headers }: Received): string => headers['authorization'] ?? '';
  for (const request of erasures.toSorted((a, b) => toKey(a).localeCompare(toKey(b))))
    found[`erased ${'erased 1' in found ? 2 : 1}`] = request;
  return found;
}

test('the webhook CRM gets the same requests', async () => {
  await using receiver = await startReceiver(answers(201, '{"id":"contact-1"}'));
  const found = await crmRequests(receiver, crmEnvironment(receiver));
  const forms = Object.entries(found).map(([name, request]) => {
    new Webhook(webhookSecret).verify(request.body, request.headers);
    return [name, requestForm(request)] as const;
  });
  await expect(requestsText(Object.fromEntries(forms))).toMatchFileSnapshot(goldenFile('crm/webhook.json'));
});

test('HubSpot gets the same requests', async () => {
  await using receiver = await startReceiver(hubspot().behave);
  const { origin } = new URL(receiver.url);
  const found = await crmRequests(receiver, { HUBSPOT_URL: origin, HUBSPOT_TOKEN: 'pat-na1-token' });
  const forms = Object.entries(found).map(([name, request]) => [name, requestForm(request)] as const);
  await expect(requestsText(Object.fromEntries(forms))).toMatchFileSnapshot(goldenFile('crm/hubspot.json'));
});
