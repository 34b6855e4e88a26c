import type { AdminDelivery } from '#shared/admin/adminDeliveries.ts';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import type { SyncRun } from '#shared/admin/sync.ts';
import type { WebhookEndpoint } from '#shared/admin/webhooks.ts';
import type { PublicProvider } from '#shared/providers/providerFieldLists.ts';

/** A JSON request body, if the operation takes one, and the body of its successful response. */
export interface OperationExample {
  request?: object;
  response: unknown;
}

const consent = { acceptance_consent: true, acceptance_message: 'I agree to be contacted.' };
const person = {
  first_name: 'Sam',
  last_name: 'Sample',
  email: 'sam@example.com',
  phone: '(303) 555-0142',
  zip_code: '80202',
};
const at = '2026-11-24T02:31:08.508Z';
const later = '2026-11-24T02:31:09.063Z';

const lead: AdminLead = {
  id: 1,
  ...person,
  provider_id: 1,
  provider: { name: 'Sample Clinic', status: 't' },
  created_at: at,
  updated_at: at,
  deleted_at: null,
  crm_sync_status: 'success',
  crmDelivery: { state: 'delivered', reason: null, nextAttemptAt: null },
  providerDelivery: { state: 'delivered', reason: null, nextAttemptAt: null },
  clinicNotReached: false,
  stage: {
    ...{ receivedAt: at, sentAt: later, reachedAt: null, bookedAt: null },
    ...{ isBroken: false, hasOutcome: false },
  },
  match: {
    method: 'nearest',
    reason: 'Nearest active provider, 0.8 miles from the center of 80202.',
    miles: 0.8,
  },
  isRepeat: false,
  quarantineReason: null,
  filledHoneypot: false,
  isErased: false,
  outcome: null,
  followUpOn: null,
};
const note = { id: 2, at: later, by: 'Staff', text: 'Asked for a call after 5 PM.' };

const provider: PublicProvider = {
  id: 1,
  name: 'Sample Clinic',
  practiceName: 'Sample Clinic Denver',
  address: '100 Sample Street, Denver, CO',
  zipCode: '80202',
  status: 't',
  latitude: 39.751,
  longitude: -104.997,
  phone: '(303) 555-0100',
  website: 'https://sample.example.com',
  url: null,
  domain: 'sampleclinic.example',
  image_url: null,
  logo_url: null,
  accepts_free_consultation: true,
  accepts_financing: false,
};

const task = { id: 3, kind: 'phone-withdrawn', created_at: later };

const run: SyncRun = {
  id: 5,
  source: 'wordpress',
  kind: 'full',
  startedBy: 'nightly',
  dryRun: false,
  forced: false,
  startedAt: at,
  finishedAt: later,
  outcome: 'done',
  message: null,
  read: 120,
  created: 1,
  updated: 0,
  unchanged: 119,
  deactivated: 0,
  skipped: 0,
  warned: 0,
};
const runRows = [{ change: 'created', wordpressId: 4711, name: 'Sample Clinic', detail: null }];

const delivery: AdminDelivery = {
  id: '461f68c0-418e-45b0-8466-50dbe5967746',
  lead: { id: 1, name: 'Sam Sample', isDeleted: false },
  channel: 'crm',
  provider: { id: 1, name: 'Sample Clinic' },
  event: null,
  endpoint: null,
  state: 'failed',
  isInProgress: false,
  isRetryable: true,
  attempts: 1,
  nextAttemptAt: null,
  reason: 'The CRM returned HTTP 400.',
  answerText: 'Property "zip" is not valid',
  address: null,
  requestedBy: null,
  createdAt: at,
  finishedAt: later,
};
const attempt = {
  at: later,
  delivered: false,
  status: 'HTTP 400',
  duration_ms: 112,
  reason: delivery.reason,
  answer: '{"message": "Property \\"zip\\" is not valid"}',
  address: null,
};

const endpoint: WebhookEndpoint = {
  id: '05fe5ed1-7321-4c27-9cf1-75fada152ac2',
  url: 'https://integrator.example/hook',
  description: 'Our CRM',
  types: ['lead.created'],
  payload: 'thin',
  state: 'on',
  disabled_reason: null,
  disabled_at: null,
  failures: 0,
  failing_since: null,
  both_secrets_until: null,
  created_by: 'deploy',
  created_at: at,
};
const newEndpoint = {
  url: endpoint.url,
  description: endpoint.description,
  types: endpoint.types,
  payload: endpoint.payload,
};
const withSecret = { endpoint, secret: 'whsec_Y2xpbmljLWxlYWRzLWV4YW1wbGUtc2VjcmV0LTMyYnk=' };

/** By `operationId`. Each is checked against the schemas of its operation. */
export const operationExamples: Readonly<Record<string, OperationExample>> = {
  'leads.create': { request: { ...person, ...consent }, response: { id: 1, providerId: 1 } },
  'leads.formToken': {
    response: { token: 'AaILZI5WFIbt75NIfl-hU3IGJzDbrB5z0yuE6RqZvo6-ESaiNWc', minAgeMs: 3000 },
  },
  'adminLeads.list': {
    response: {
      leads: [lead],
      total: 41,
      totalIsEstimate: false,
      newestId: 41,
      nextCursor: `${Date.parse(at)}-1`,
    },
  },
  'adminLeads.get': {
    response: {
      lead,
      deletedAt: null,
      erasedAt: null,
      isSuppressed: false,
      suppression: { email: null, phone: null },
      unreachable: { lead: null, provider: null },
      providerPhone: '(303) 555-0100',
      providerEmail: null,
      tasks: [],
      consent: {
        text: consent.acceptance_message,
        version: 'Text not on record',
        purpose: null,
        provider: null,
        namesOther: false,
        form: 'api',
        prechecked: null,
        clientClock: null,
        at,
        ip: null,
        userAgent: null,
        page: null,
        host: 'brand.example',
        isSealed: true,
      },
      attribution: [{ touch: 'last', name: 'utm_source', value: 'newsletter' }],
      candidates: [{ id: 1, name: 'Sample Clinic', zipCode: '80202', miles: 0.8, openLeads: 3 }],
      notes: [note],
      repeats: [],
      events: [{ at, kind: 'created', by: 'Visitor', detail: '' }],
    },
  },
  'adminLeads.assign': {
    request: { providerId: 2 },
    response: {
      ...lead,
      provider_id: 2,
      provider: { name: 'Second Clinic', status: 't' },
      match: {
        method: 'manual',
        reason: 'Assigned, 23.8 miles from the center of 80202.',
        miles: 23.8,
      },
      updated_at: later,
    },
  },
  'adminLeads.takeAway': {
    response: {
      ...lead,
      ...{ provider_id: null, provider: null, updated_at: later },
      match: { method: 'none', reason: 'Taken away from its provider.', miles: null },
    },
  },
  'adminLeads.correct': {
    request: { email: 'kit.elmsworth@example.com' },
    response: { ...lead, email: 'kit.elmsworth@example.com', updated_at: later },
  },
  'adminLeads.addNote': { request: { text: note.text }, response: note },
  'adminLeads.followUp': {
    request: { followUpOn: '2026-12-01' },
    response: { ...lead, followUpOn: '2026-12-01', updated_at: later },
  },
  'adminLeads.remove': { response: { id: 1 } },
  'adminLeads.restore': { response: { ...lead, updated_at: later } },
  'adminLeads.retryEmail': { response: { success: true } },
  'adminLeads.retrySync': { response: { success: false, error: 'The CRM returned HTTP 500.' } },
  'leadOutcomes.get': {
    response: {
      outcome: 'booked',
      reports: [
        {
          ...{ at, by: 'Clinic', outcome: 'booked', provider: { id: 1, name: 'Sample Clinic' } },
          takes_effect_at: null,
        },
      ],
    },
  },
  'leadOutcomes.note': {
    request: { outcome: 'booked' },
    response: {
      ...{ ...lead, outcome: 'booked', updated_at: later },
      stage: { ...lead.stage, reachedAt: later, bookedAt: later, hasOutcome: true },
    },
  },
  'suppressions.list': {
    response: {
      suppressions: [
        {
          ...{ id: 'a'.repeat(64), kind: 'email', value: person.email },
          ...{ since: at, by: 'Visitor', reason: 'withdrawn', leadId: 1 },
        },
      ],
      total: 1,
    },
  },
  'suppressions.lift': {
    request: { kind: 'phone', reason: 'It was somebody else.' },
    response: { leadIds: [1] },
  },
  'suppressions.unsubscribe': { response: { success: true } },
  'staffTasks.list': {
    response: { tasks: [{ ...task, lead, leads: [lead], leadCount: 1 }] },
  },
  'staffTasks.complete': { request: { decision: 'stop-phone' }, response: { id: task.id, leadIds: [1] } },
  'mail.inbound': {
    request: { to: 'stop@reply.example', from: person.email, text: 'STOP' },
    response: { success: true },
  },
  'domains.verify': { response: { domain: provider.domain } },
  'problems.create': {
    request: { what: 'Nobody called me.', contact: 'robin@example.com' },
    response: { received: true },
  },
  'applications.create': {
    request: {
      practice_name: 'Second Clinic',
      contact_name: 'Robin Sample',
      role: 'Owner',
      email: 'robin@example.com',
      phone: '(303) 555-0143',
      zip_code: '80301',
      ...consent,
    },
    response: { id: 1 },
  },
  'applications.area': {
    request: { area_zip: '80302' },
    response: {
      zip: '80302',
      isValid: true,
      nearest: {
        id: 1,
        name: 'Juniper Street Clinic',
        city: 'Denver, CO',
        initial: 'J',
        imageUrl: null,
        distanceMiles: 24,
        isWithinReach: true,
        clock: '2:14 PM Mountain',
        opening: { isOpen: true, until: '5:00 PM' },
      },
      people: 25,
    },
  },
  'providers.list': { response: [provider] },
  'providers.get': { response: provider },
  'adminProviders.sendAgain': { response: { id: 1, emails: 3 } },
  'providers.byDomain': { response: provider },
  'sync.push': {
    request: {
      providers: [
        { wordpress_id: 4711, name: 'Sample Clinic', email: 'front@sampleclinic.example', zip_code: '80202' },
      ],
    },
    response: { results: [{ wordpress_id: 4711, result: 'created', id: 1, reason: null }] },
  },
  'sync.run': { request: { kind: 'full' }, response: { success: true, run, rows: runRows } },
  'sync.lastRuns': { response: { runs: [run] } },
  'sync.runDetail': { response: { run, rows: runRows } },
  'deliveries.list': { response: { deliveries: [delivery], total: 1, totalIsLeast: false } },
  'deliveries.get': { response: { ...delivery, history: [attempt] } },
  'deliveries.retry': { request: { ids: [delivery.id] }, response: { queued: [delivery.id] } },
  'webhooks.list': { response: { endpoints: [endpoint] } },
  'webhooks.get': { response: endpoint },
  'webhooks.create': { request: newEndpoint, response: withSecret },
  'webhooks.update': { request: { types: [] }, response: { ...endpoint, types: [] } },
  'webhooks.switch': {
    request: { on: false },
    response: { ...endpoint, state: 'off', disabled_reason: 'staff', disabled_at: later },
  },
  'webhooks.remove': { response: { id: endpoint.id } },
  'webhooks.rotate': {
    response: { ...withSecret, endpoint: { ...endpoint, both_secrets_until: '2026-11-25T02:31:09.063Z' } },
  },
  'webhooks.test': { response: { delivered: true, status: 'HTTP 200', duration_ms: 112, reason: null } },
  'webhooks.replaySince': {
    request: { since: at },
    response: { queued: 10_000, next: { since: later, after: '523b05ea-6897-4975-bb8b-72f5324a0196' } },
  },
};
