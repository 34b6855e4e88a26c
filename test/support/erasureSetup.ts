import { randomUUID } from 'node:crypto';
import {
  deliveries,
  deliveryAttempts,
  leadOutcomes,
  outcomeChoices,
  overLimitLeads,
  type ProviderRow,
  recipientEmails,
  staffTasks,
  webhookEvents,
  problemReports,
} from '#server/db/schema/index.ts';
import { assignLeads } from '#server/features/leads/changes/assignLeads.ts';
import { removeLeads } from '#server/features/leads/changes/leadChanges.ts';
import { suppress } from '#server/features/withdrawals/suppress.ts';
import { staffActionOn } from './staffActions.ts';
import { insertProvider, leadInput } from './factories.ts';
import type { IntakeSetup } from './intakeSetup.ts';
import type { TestDb } from './testDb.ts';

/** The texts that no table may contain after the person of `insertPerson` is erased. */
export const personalTraces = [
  'Wilhelmina',
  'Quarrington',
  'mina.q@mail.example',
  'other.mina@mail.example',
  '7205550199',
  '720) 555-0199',
  '198.51.100.77',
  'MinaBrowser',
  'mina-click-id',
  'minas-blog.example',
  'contact-of-mina',
  'message-of-mina',
  'endpoint-on-mina',
] as const;

export const mina = leadInput({
  form: 'landing',
  first_name: 'Wilhelmina',
  last_name: 'Quarrington',
  email: 'Mina.Q@mail.example',
  phone: '(720) 555-0199',
  zip_code: '80202',
  acceptance_message: 'I, Wilhelmina Quarrington, agree.',
  attribution: { first: { gclid: 'mina-click-id' }, last: { referrer_host: 'minas-blog.example' } },
});
/** The contact of a report by somebody else: a longer address and a longer number, which the person's are parts of. */
export const neighborContact = 'inmina.q@mail.example, 97205550199';

const minasBrowser = {
  ip: '198.51.100.77',
  userAgent: 'MinaBrowser/1.0',
  pageUrl: 'http://localhost/?minas-blog.example',
  referrerHost: 'minas-blog.example',
};

export interface PersonRows {
  provider: ProviderRow;
  /** In order: a lead delivered everywhere, a deleted one with only the phone, and one with only the email. */
  leadIds: [number, number, number];
  /** A purged lead; its evidence remains. */
  purgedId: number;
}

/**
 * Inserts a person with rows in every table that refers to people: three leads and a purged one, delivered, viewed,
 * answered, withdrawn.
 */
export async function insertPerson(at: IntakeSetup): Promise<PersonRows> {
  const { database } = at;
  const provider = await insertProvider(database.db, { zipCode: '80202' });
  const send = async (over: Partial<typeof mina>): Promise<number> =>
    (await at.send({ ...mina, token: at.token('landing'), ...over }, minasBrowser)).body.id;
  const purgedId = await send({ phone: '+1 720-555-0199', email: 'other.mina@mail.example' });
  await database.sql`delete from leads where id = ${purgedId}`;
  await database.sql`delete from idempotency_keys where lead_id = ${purgedId}`;
  const first = await send({});
  const byPhone = await send({ email: 'other.mina@mail.example', zip_code: 'mina.q@mail.example' });
  const byMail = await send({ phone: '303 555 0123' });
  await assignLeads(staffActionOn(database), [byPhone], provider.id);
  await removeLeads(staffActionOn(database), [byPhone]);
  await insertDelivered(database, first, provider.id);
  await database.sql`
    insert into lead_corrections (lead_id, at, by, field, before) values (${first}, now(), 'Robin Staff', 'email', 'other.mina@mail.example')`;
  await database.sql`
    insert into lead_notes (lead_id, at, by, text) values (${first}, now(), 'Robin Staff', 'Mina prefers mornings.')`;
  await database.sql`
    insert into lead_reminders (lead_id, provider_id, at, by) values (${first}, ${provider.id}, now(), 'Robin Staff')`;
  await database.sql`update leads set follow_up_on = '2026-06-12' where id = ${first}`;
  await insertWebhook(database, first);
  await database.db.insert(problemReports).values({
    what: 'Wilhelmina Quarrington: nobody called.',
    contact: 'Mina.Q@mail.example, (720) 555-0199',
    host: 'localhost',
    ip: '198.51.100.77',
  });
  await database.db
    .insert(problemReports)
    .values({ what: 'Nobody called me either.', contact: neighborContact, host: 'localhost' });
  await suppress(database.db, {
    person: { emailNorm: 'mina.q@mail.example', phoneE164: '+17205550199' },
    identityKey: (await at.services.dataKeys.current('identity')).key,
    leadId: first,
    reason: 'withdrawn',
    how: 'page',
    by: 'Visitor',
    ip: '198.51.100.77',
    now: at.services.now(),
  });
  return { provider, leadIds: [first, byPhone, byMail], purgedId };
}

async function insertDelivered({ db }: TestDb, leadId: number, providerId: number): Promise<void> {
  const finishedAt = new Date('2026-06-01T12:00:05Z');
  for (const channel of ['lead-email', 'provider-email', 'crm'] as const) {
    const id = randomUUID();
    const remoteId = channel === 'crm' ? 'contact-of-mina' : `message-of-mina-${channel}`;
    const row = { id, leadId, channel, providerId, attempts: 1, remoteId, finishedAt };
    await db.insert(deliveries).values({ ...row, state: 'delivered' });
    if (channel === 'lead-email')
      await db.insert(recipientEmails).values({ deliveryId: id, recipientHmac: 'f'.repeat(64) });
    await db.insert(deliveryAttempts).values({
      leadId,
      deliveryId: id,
      channel,
      durationMs: 12,
      outcome: 'delivered',
      answer: '{"name":"Wilhelmina"}',
    });
  }
  await db
    .insert(deliveries)
    .values({ id: randomUUID(), leadId, channel: 'lead-email', nextAttemptAt: finishedAt, providerId });
  await db.insert(leadOutcomes).values({ leadId, providerId, outcome: 'reached', by: 'Clinic' });
  await db
    .insert(outcomeChoices)
    .values({ leadId, providerId, outcome: 'reached', at: finishedAt, ip: '203.0.113.9' });
  await db.insert(staffTasks).values({ leadId, kind: 'phone-withdrawn' });
  await db.insert(overLimitLeads).values({ leadId, releaseAt: finishedAt });
}

/** Inserts an event of a lead with the delivered webhook and its response. */
async function insertWebhook({ db }: TestDb, leadId: number): Promise<void> {
  const event = { id: randomUUID(), type: 'lead.created', leadId, data: { id: leadId } };
  await db.insert(webhookEvents).values(event);
  const [id, at] = [randomUUID(), new Date('2026-06-01T12:00:06Z')];
  const webhook = { id, channel: 'webhook', template: 'event', eventId: event.id } as const;
  const delivered = { state: 'delivered', attempts: 1, finishedAt: at } as const;
  await db.insert(deliveries).values({ ...webhook, ...delivered, endpointId: randomUUID() });
  await db.insert(deliveryAttempts).values({
    ...{ deliveryId: id, channel: 'webhook', at, durationMs: 9, outcome: 'delivered' },
    answer: 'endpoint-on-mina',
  });
}

/** The given texts that any row of any table in any schema contains, in any case: `public.leads: Ada`. */
export async function tracesIn({ sql }: TestDb, texts: readonly string[]): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1`;
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await sql.unsafe<{ trace: string }[]>(
      `select distinct trace from ${name} as t, unnest($1::text[]) as trace where strpos(lower(t::text), lower(trace)) > 0`,
      [[...texts]],
    );
    found.push(...rows.map(({ trace }) => `${name}: ${trace}`));
  }
  return found;
}
