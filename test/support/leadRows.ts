import type { TestDb } from './testDb.ts';
import { randomUUID } from 'node:crypto';
import type { Database } from '#server/db/connect.ts';
import {
  type ConsentRecordRow,
  consentRecords,
  deliveries,
  deliveryAttempts,
  type DeliveryAttemptInsert,
  type LeadInsert,
  type LeadRow,
  leads,
} from '#server/db/schema/index.ts';
import { leadCreated } from '#server/features/leads/leadEvents.ts';
import { recordEvents } from '#server/features/webhooks/recordEvents.ts';
import { normalizedEmail } from '#shared/leads/emailAddress.ts';
import { phoneE164 } from '#shared/leads/phone.ts';
import { zipFive } from '#shared/leads/zip.ts';
import { leadInput } from './factories.ts';

/** The row of a fictional lead, unmatched unless a provider is given. */
function leadRow(overrides: Partial<LeadInsert> = {}): LeadInsert {
  const input = leadInput();
  const row = {
    firstName: input.first_name,
    lastName: input.last_name,
    email: input.email,
    phone: input.phone,
    zipCode: input.zip_code,
    createdAt: new Date('2026-06-01T12:00:00Z'),
    ...overrides,
  };
  const isMatched = row.providerId != null;
  return {
    emailNorm: normalizedEmail(row.email),
    phoneE164: phoneE164(row.phone) ?? '+10000000000',
    zip5: zipFive(row.zipCode),
    matchMethod: isMatched ? 'nearest' : 'none',
    matchReason: isMatched
      ? 'Nearest active provider, 1.0 miles from the center of 80202.'
      : 'There is no active provider to match.',
    matchDistanceMiles: isMatched ? 1 : null,
    acceptanceConsent: true,
    ...row,
  };
}

/** Inserts leads in this order, with the events that the intake records. */
export async function insertLeads(
  db: Database,
  overrides: readonly Partial<LeadInsert>[],
): Promise<LeadRow[]> {
  if (overrides.length === 0) return [];
  const rows = await db.insert(leads).values(overrides.map(leadRow)).returning();
  await recordEvents(db, rows.filter(({ deletedAt }) => deletedAt === null).flatMap(leadCreated));
  return rows.toSorted((a, b) => a.id - b.id);
}

export async function insertLead(db: Database, overrides: Partial<LeadInsert> = {}): Promise<LeadRow> {
  const [row] = await insertLeads(db, [overrides]);
  if (row === undefined) throw new Error('the lead was not stored');
  return row;
}

type AttemptOfLead = Partial<DeliveryAttemptInsert> & { leadId: number };

/** By default, a successful attempt of a fifth of a second. */
function deliveryAttemptRow(overrides: AttemptOfLead): Omit<DeliveryAttemptInsert, 'deliveryId'> {
  const outcome = overrides.outcome ?? 'delivered';
  return {
    channel: 'crm',
    at: new Date('2026-06-01T12:00:05Z'),
    durationMs: 180,
    outcome,
    status: outcome === 'delivered' ? 'HTTP 200' : 'HTTP 503',
    ...overrides,
  };
}

/** Inserts attempts in this order. Creates a finished delivery for each one that names none. */
export async function insertDeliveryAttempts(
  db: Database,
  overrides: readonly AttemptOfLead[],
): Promise<void> {
  if (overrides.length === 0) return;
  const rows = overrides.map((row) => ({
    ...deliveryAttemptRow(row),
    deliveryId: row.deliveryId ?? randomUUID(),
  }));
  const finished = rows.filter((_, at) => overrides[at]?.deliveryId === undefined);
  if (finished.length > 0)
    await db.insert(deliveries).values(
      finished.map(({ deliveryId, leadId, channel, outcome, at }) => ({
        ...{ id: deliveryId, leadId, channel, state: outcome, attempts: 1 },
        reason: outcome === 'failed' ? 'Because.' : null,
        ...(at === undefined ? {} : { createdAt: at }),
        finishedAt: at ?? new Date(),
      })),
    );
  await db.insert(deliveryAttempts).values(rows);
}

/** Inserts a lead with evidence, by which signed links find it. */
export async function insertAgreed(
  db: Database,
  overrides: Partial<LeadInsert> = {},
  evidence: Partial<ConsentRecordRow> = {},
): Promise<LeadRow> {
  const lead = await insertLead(db, overrides);
  const { id, firstName, lastName, email, phone, createdAt, publicId } = lead;
  await db.insert(consentRecords).values({
    uuid: crypto.randomUUID(),
    leadId: id,
    leadPublicId: publicId,
    ...{ firstName, lastName, email, phone },
    ...{ formKey: 'landing', textShown: 'I agree.', textSha256: 'a'.repeat(64), textKnown: false },
    ...{ checked: true, channels: ['email'], ip: '203.0.113.7', host: 'main.example', gpc: false },
    acceptedAt: createdAt,
    retainUntil: new Date('2031-06-01T12:00:00Z'),
    rowHash: 'b'.repeat(64),
    ...evidence,
  });
  return lead;
}

interface History {
  providerId: number;
  /** Hours with leads, the last ones before `until`. */
  hours: number;
  perHour: number;
  until: Date;
}

/** Stores the leads that a provider got in the hours before a time. */
export async function insertHistory(
  { sql }: TestDb,
  { providerId, hours, perHour, until }: History,
): Promise<void> {
  await sql`
    insert into leads (first_name, last_name, email, phone, zip_code, provider_id, created_at, email_norm, phone_e164,
      match_method, match_reason)
    select 'Past', 'Lead', 'past@example.com', '3035550100', '80202', ${providerId},
      date_trunc('hour', ${until.toISOString()}::timestamptz) - hour * interval '1 hour' + nth * interval '1 second',
      'past@example.com', '+13035550100', 'nearest', 'test'
    from generate_series(1, ${hours}::int) as hour, generate_series(1, ${perHour}::int) as nth
    order by hour, nth`;
}
