import { join } from 'node:path';
import { format } from 'prettier';
import { z } from 'zod';
import type { ProviderInsert } from '#server/db/schema/index.ts';
import { createFormTokens } from '#server/features/submissions/formToken.ts';
import { loadZipTable } from '#server/features/matching/zipTable.ts';
import type { LeadCreateInput } from '#shared/leads/leads.ts';
import { crmEnvironment } from '#test/support/outboxSetup.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertAccount, getSession, type StaffHeaders } from '#test/support/staff.ts';
import { type Answer, type TestApp, testApp } from '#test/support/testApp.ts';
import { testSecret } from '#test/support/testKeys.ts';
import {
  deliveriesOfLead,
  dropRematchRequests,
  publicIdOfLead,
  refuseUndatedChange,
} from './logicalTables.ts';
import { createRecorder, type Recorded } from './recordWrites.ts';

const idOutput = z.object({ id: z.number() });
const listOutput = z.object({
  result: z.object({
    data: z.object({ providers: z.array(z.object({ id: z.number(), leadCount: z.number() })) }),
  }),
});
const endpointOutput = z.object({
  result: z.object({ data: z.object({ endpoint: z.object({ id: z.string() }) }) }),
});

/** Nobody listens there: a try fails at once. */
const closedReceiver = { url: 'http://127.0.0.1:9/crm' };

/** A person whom every run of a case knows by the same contact details. */
export function person(nth: number, overrides: Partial<LeadCreateInput> = {}): LeadCreateInput {
  const twoDigits = String(nth).padStart(2, '0');
  return {
    first_name: 'Pat',
    last_name: `Example ${nth}`,
    email: `pat-${nth}@example.com`,
    phone: `(303) 555-01${twoDigits}`,
    zip_code: '80202',
    acceptance_consent: true,
    acceptance_message: 'I agree to be contacted about the treatment.',
    ...overrides,
  };
}

/** A product with its integrators, whose writes are recorded. */
export interface Matrix extends AsyncDisposable {
  app: TestApp;
  owner: StaffHeaders;
  manager: StaffHeaders;
  /** Moves the application's time so far ahead of the machine's; staff sign in again. */
  advance: (aheadMs: number) => Promise<void>;
  /** Stores a provider that nothing is recorded of; each has a name and a host of its own. */
  addProvider: (overrides?: Partial<ProviderInsert>) => Promise<number>;
  /** Adds an endpoint as an owner does. */
  addEndpoint: (description: string, input?: object) => Promise<string>;
  /** Posts a lead with a form's token, as a page's script does; returns its id. */
  addLead: (nth: number, overrides?: Partial<LeadCreateInput>) => Promise<number>;
  /** Records one write. */
  record: (write: string, work: () => Promise<unknown>) => Promise<Recorded>;
  rest: (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<unknown>;
  /** Calls a procedure as a manager, or as the given caller; returns the status. */
  call: (procedure: string, input: object, headers?: Record<string, string>) => Promise<unknown>;
  /** Ids of a lead's deliveries by one channel, oldest first. */
  deliveryIds: (leadId: number, channel?: string) => Promise<string[]>;
  /** The UUID by which signed links name a lead. */
  publicIdOf: (leadId: number) => Promise<string>;
  /** Everything that was recorded, as the case's file has it. */
  recordedText: () => Promise<string>;
}

interface Options {
  env?: Record<string, string>;
  /** Endpoints that ask for everything, and only for leads that were assigned; on unless left out. */
  endpoints?: boolean;
  /** Whether a CRM is configured. */
  crm?: boolean;
}

/** Denver's first ZIP, and a place in the same metropolitan area. */
const denver = '80202';
export const boulder = '80301';
export const anchorage = '99501';

export async function openMatrix({ env = {}, endpoints = true, crm = true }: Options = {}): Promise<Matrix> {
  let aheadMs = 0;
  const app = await testApp({
    env: { MATCH_RADIUS_MILES: '100', ...(crm ? crmEnvironment(closedReceiver) : {}), ...env },
    now: () => new Date(Date.now() + aheadMs),
  });
  const accounts = { owner: await insertAccount(app, 'owner'), manager: await insertAccount(app, 'manager') };
  const owner = await getSession(app, accounts.owner);
  const manager = await getSession(app, accounts.manager);
  // Of a form that was rendered ten seconds ago.
  const renderTokens = createFormTokens({
    keys: [testSecret],
    now: () => new Date(app.services.now().getTime() - 10_000),
  });
  await app.sql.unsafe(refuseUndatedChange);
  const recorded: Recorded[] = [];
  let providerCount = 0;
  let isRecording = false;

  const countLeads = async (): Promise<Map<number, number>> => {
    const counts = new Map<number, number>();
    for (const status of ['active', 'inactive']) {
      const input = encodeURIComponent(JSON.stringify({ status }));
      const answer = await app.get(`/trpc/admin.providers.list?input=${input}`, owner);
      for (const { id, leadCount } of listOutput.parse(answer.json()).result.data.providers)
        counts.set(id, leadCount);
    }
    return counts;
  };
  const recorder = createRecorder({
    query: async (text, parameters) => [
      ...(await app.sql.unsafe<Record<string, unknown>[]>(text, parameters)),
    ],
    now: app.services.now,
    countLeads,
  });
  const post = (procedure: string, input: object, headers: Record<string, string>): Promise<Answer> =>
    app.post(`/trpc/${procedure}`, input, headers);

  const matrix: Matrix = {
    app,
    owner,
    manager,
    async advance(ms) {
      aheadMs = ms;
      Object.assign(owner, await getSession(app, accounts.owner));
      Object.assign(manager, await getSession(app, accounts.manager));
    },
    async addProvider(overrides = {}) {
      providerCount += 1;
      if (isRecording) throw new Error('add providers before the first write, or their events are recorded');
      const { id } = await insertProvider(app.db, providerFields(providerCount, overrides));
      await app.sql.unsafe(dropRematchRequests);
      return id;
    },
    async addEndpoint(description, input = {}) {
      const url = `https://${description}.integrator.example/hook`;
      const answer = await post(
        'admin.webhooks.create',
        { url, description, types: [], payload: 'thin', ...input },
        owner,
      );
      return endpointOutput.parse(answer.json()).result.data.endpoint.id;
    },
    async addLead(nth, overrides = {}) {
      await begin();
      const input = person(nth, { form: 'landing', token: renderTokens.issue('landing'), ...overrides });
      return idOutput.parse((await app.post('/api/leads', input)).json()).id;
    },
    async record(write, work) {
      await begin();
      const found = await recorder.record(write, work);
      recorded.push(found);
      return found;
    },
    async rest(method, path, body, headers = manager) {
      const json = body === undefined ? {} : { body: JSON.stringify(body) };
      // Forms are sent by a page's script.
      const page = body !== undefined && 'token' in body ? { origin: app.url } : {};
      const { status } = await app.request(method, path, {
        ...json,
        headers: { 'content-type': 'application/json', ...page, ...headers },
      });
      return status;
    },
    call: async (procedure, input, headers = manager) => (await post(procedure, input, headers)).status,
    async deliveryIds(leadId, channel = '') {
      const rows = await app.sql.unsafe<{ id: string }[]>(deliveriesOfLead, [String(leadId), channel]);
      return rows.map(({ id }) => id);
    },
    async publicIdOf(leadId) {
      const [row] = await app.sql.unsafe<{ publicId: string }[]>(publicIdOfLead, [String(leadId)]);
      return row?.publicId ?? '';
    },
    async recordedText() {
      if (recorded.length === 0) throw new Error('nothing was recorded');
      return format(JSON.stringify(recorded), { parser: 'json', printWidth: 110 });
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
  /** No events are recorded for providers that existed before. */
  async function begin(): Promise<void> {
    if (isRecording) return;
    isRecording = true;
    if (!endpoints) return;
    await matrix.addEndpoint('everything');
    await matrix.addEndpoint('assignments', { types: ['lead.assigned'] });
  }
  return matrix;
}

export function goldenFile(name: string): string {
  return join(import.meta.dirname, `${name}.json`);
}

/** Everything that the record shows is the same in every run. */
function providerFields(nth: number, overrides: Partial<ProviderInsert>): Partial<ProviderInsert> {
  const place = loadZipTable().lookup(overrides.zipCode ?? denver);
  return {
    name: `Provider ${nth}`,
    practiceName: `Practice ${nth}`,
    address: `${nth} Sample Street`,
    zipCode: denver,
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    phone: `(303) 555-017${nth}`,
    email: `provider-${nth}@example.com`,
    website: `https://provider-${nth}.example.com`,
    domain: `provider-${nth}.example.com`,
    ...overrides,
  };
}
