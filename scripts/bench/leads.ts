import { createHash, randomUUID } from 'node:crypto';
import { parseConfig } from '#server/config/config.ts';
import { connect, type Database } from '#server/db/connect.ts';
import { createChannels } from '#server/features/outbox/channels/deliveryChannels.ts';
import { type Planned, planDeliveries } from '#server/features/outbox/planDeliveries.ts';
import { consentRecord } from '#server/features/consent/recordConsent.ts';
import { withPreparedStatements } from '#server/db/preparedStatements.ts';
import { type NewLead, storeLeads } from '#server/features/leads/storeLeads.ts';
import { leadChannels } from '#shared/admin/deliveries.ts';
import type { LeadSubmission } from '#shared/leads/leads.ts';
import { leadCreateInput } from '#shared/submissions/leadInput.ts';
import type { ServerProcess } from '#test/support/serverProcess.ts';
import type { Figure } from './figure.ts';
import { alternate, load, type LoadResult } from './load.ts';

const concurrency = 16;
const rounds = 3;
const seconds = 5;
/** As many connections as the server's own pool has. */
const poolSize = 10;

/** With a CRM, so that something is enqueued. */
export const crmEnvironment = {
  CRM_WEBHOOK_URL: 'http://127.0.0.1:9/',
  CRM_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24).toString('base64')}`,
};
const channels = createChannels(parseConfig(crmEnvironment));

/** All three, as with everything configured. */
const threeDeliveries = (now: Date): Planned[] =>
  leadChannels.map((channel) => ({
    id: randomUUID(),
    channel,
    providerId: null,
    state: 'queued',
    nextAttemptAt: now,
    reason: null,
    finishedAt: null,
  }));

let made = 0;

function submission(): LeadSubmission & { zip_code: string } {
  made += 1;
  return leadCreateInput.parse({
    first_name: 'Sam',
    last_name: 'Sample',
    email: `bench-${process.pid}-${made}@example.com`,
    phone: `+1${String(2_000_000_000 + made)}`,
    zip_code: '80202',
    acceptance_consent: true,
    acceptance_message: 'I agree to be contacted.',
  });
}

/** Stored leads over HTTP, everything included, against the same transaction called without HTTP. */
export async function leadsStored(server: ServerProcess, databaseUrl: string): Promise<Figure> {
  const { db, close } = connect(databaseUrl, { applicationName: 'bench-leads', max: poolSize });
  try {
    const { measured, baseline } = await alternate(
      rounds,
      () =>
        load({
          port: server.port,
          connections: concurrency,
          seconds,
          expectedStatus: 201,
          request: leadRequest,
        }),
      () => straight(() => store(db, newLead(submission()))),
    );
    return {
      name: 'leads stored over HTTP',
      measured,
      baseline,
      unit: 'leads/s',
      against: `the same transaction without HTTP, ${concurrency} at a time`,
      bar: { of: 'ratio', sign: '>=', value: 0.5 },
    };
  } finally {
    await close();
  }
}

/** What a lead's deliveries cost the transaction that stores it. */
export async function leadsWithJobs(databaseUrl: string): Promise<Figure> {
  const { db, close } = connect(databaseUrl, { applicationName: 'bench-leads', max: poolSize });
  try {
    const { measured, baseline } = await alternate(
      rounds,
      () => straight(() => store(db, { ...newLead(submission()), deliveries: threeDeliveries(new Date()) })),
      () => straight(() => store(db, { ...newLead(submission()), deliveries: [] })),
    );
    return {
      name: 'leads stored with their three deliveries',
      measured,
      baseline,
      unit: 'leads/s',
      against: `the same transaction without, ${concurrency} at a time`,
      bar: { of: 'ratio', sign: '>=', value: 0.6 },
    };
  } finally {
    await close();
  }
}

function leadRequest(): Buffer {
  const body = JSON.stringify(submission());
  return Buffer.from(
    `POST /api/leads HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nIdempotency-Key: ${randomUUID()}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

async function store(db: Database, lead: NewLead): Promise<boolean> {
  const context = { now: lead.lead.createdAt, identityKey: null };
  const [result] = await withPreparedStatements(db).transaction((tx) => storeLeads(tx, [lead], context));
  return result?.stored === true;
}

async function straight(storeOne: () => Promise<boolean>): Promise<LoadResult> {
  let requests = 0;
  let unexpected = 0;
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1000;
  const worker = async (): Promise<void> => {
    while (performance.now() < endAt) {
      const isStored = await storeOne();
      requests += 1;
      if (!isStored) unexpected += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { perSecond: requests / ((performance.now() - startedAt) / 1000), requests, unexpected };
}

function newLead(input: LeadSubmission): NewLead {
  const now = new Date();
  const key = randomUUID();
  return {
    claim: {
      key: `key:${createHash('sha256').update(key).digest('hex')}`,
      requestSha256: createHash('sha256').update(input.email).digest('hex'),
      expiresAt: new Date(now.getTime() + 86_400_000),
    },
    lead: {
      firstName: input.first_name,
      lastName: input.last_name,
      email: input.email,
      phone: input.phone,
      zipCode: input.zip_code,
      providerId: null,
      createdAt: now,
      crmSyncStatus: 'pending',
      acceptanceMessage: input.acceptance_message ?? null,
      acceptanceConsent: true,
      acceptanceIp: '127.0.0.1',
      emailNorm: input.email,
      phoneE164: input.phone,
      zip5: '80202',
      matchMethod: 'none',
      matchReason: 'There is no active clinic to match.',
      matchDistanceMiles: null,
      quarantinedAt: null,
      quarantineReason: null,
      publicId: randomUUID(),
    },
    consentOf: (leadId) =>
      consentRecord({
        caller: {
          site: { kind: 'main', host: 'localhost', tenant: null },
          credentials: {
            session: null,
            device: null,
            bearer: null,
            isOwnPage: false,
            isSecure: false,
            isBackground: false,
          },
          ip: '127.0.0.1',
          userAgent: null,
          pageUrl: null,
          referrerHost: null,
          origin: null,
          fetchSite: null,
          globalPrivacyControl: false,
          idempotencyKey: key,
          transport: 'rest',
          requestId: key,
          responseHeaders: new Map(),
          waitedMs: 0,
          responseCookies: [],
        },
        formShown: 'landing',
        submission: input,
        leadId,
        leadPublicId: randomUUID(),
        acceptedAt: now,
        seller: null,
        formSha256: null,
        msFromRender: null,
      }),
    attribution: [],
    deliveries: planDeliveries({ channels, providerId: null, now }),
    releaseAt: null,
  };
}
