import { expect, test } from 'vitest';
import { type DeliveryChannel } from '#shared/admin/deliveries.ts';
import {
  type DeliveryAttemptInsert,
  type DeliveryInsert,
  deliveryAttempts,
} from '#server/db/schema/index.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { type DeliverySetup, insertDelivery, setUpDeliveries } from '#test/support/outboxSetup.ts';
import { reclassifyFailed } from './reclassifyFailed.ts';
import { createHeldTender } from '../releaseHeld.ts';

const dayMs = 86_400_000;

interface Left {
  channel?: Exclude<DeliveryChannel, 'webhook'>;
  status: string | null;
  answer?: string;
  reason?: string;
  row?: Partial<DeliveryInsert>;
}

test.each<[name: string, left: Left, state: string]>([
  ['a daily limit', { status: 'SMTP 550', answer: '550 5.4.5 Daily sending limit exceeded' }, 'queued'],
  ['a sender that is not allowed', { status: 'SMTP 553', answer: '553 Sender not owned by user' }, 'queued'],
  ['a full mailbox', { status: 'SMTP 552', answer: '552 5.2.2 Mailbox full' }, 'queued'],
  ['a mailbox that doesn’t exist', { status: 'SMTP 550', answer: '550 5.1.1 No such user' }, 'failed'],
  ['a mailbox without a code', { status: 'SMTP 550', answer: '550 No such user' }, 'failed'],
  ['no address', { status: null, reason: 'The provider’s record has no valid email address.' }, 'failed'],
  ['a key of the CRM', { channel: 'crm', status: 'HTTP 401' }, 'queued'],
  ['a CRM that was down', { channel: 'crm', status: 'HTTP 503', row: { attempts: 8 } }, 'queued'],
  ['a private address', { channel: 'crm', status: null, reason: 'The CRM has a private address.' }, 'queued'],
  ['content', { channel: 'crm', status: 'HTTP 422' }, 'failed'],
  [
    'a person’s full mailbox',
    { channel: 'lead-email', status: 'SMTP 552', answer: '552 5.2.2 Full' },
    'queued',
  ],
  [
    'eight refusals of a person’s mail server',
    { channel: 'lead-email', status: 'SMTP 451', row: { attempts: 8 } },
    'failed',
  ],
])('what 1.0.0 left as failed for %s is judged once', async (_, left, state) => {
  await using at = await setUpDeliveries();
  const { db } = at.database;
  const { channel = 'provider-email', status, answer = null, reason = 'It failed.' } = left;
  const lead = await insertLead(db, { deliveryFailed: true });
  const createdAt = new Date(at.clock.ms - 80 * dayMs);
  const common = { channel, leadId: lead.id };
  const id = await insertDelivery(at.database, {
    ...{ ...common, state: 'failed', attempts: 1, reason, createdAt, ...left.row },
  });
  await db
    .insert(deliveryAttempts)
    .values({ deliveryId: id, ...common, durationMs: 5, outcome: 'failed', status, reason, answer });
  expect(await reclassifyFailed(db, at.services.now())).toBe(1);
  expect(await at.row(id)).toMatchObject({ state });
  const [flag] = await at.database.sql`select delivery_failed as failed from leads`;
  expect(flag).toEqual({ failed: state === 'failed' });
  expect(await reclassifyFailed(db, at.services.now())).toBe(0);
});

test('what 1.0.0 left as failed stays so if it is too old or was sent again since', async () => {
  await using at = await setUpDeliveries();
  const { db } = at.database;
  const failed = async (row: Partial<DeliveryInsert>): Promise<string> => {
    const lead = await insertLead(db);
    const common = { leadId: lead.id, channel: 'provider-email', ...row } as const;
    const id = await insertDelivery(at.database, { ...common, state: 'failed', attempts: 1 });
    const { leadId, channel } = common;
    const refused = { durationMs: 5, outcome: 'failed', status: 'SMTP 554' } as const;
    await db.insert(deliveryAttempts).values({ deliveryId: id, leadId, channel, ...refused });
    return id;
  };
  const old = new Date(at.clock.ms - 91 * dayMs);
  const tooOld = await failed({ createdAt: old });
  const notice = await failed({ createdAt: old, template: 'withdrawn' });
  const crm = await failed({ createdAt: old, channel: 'crm' });
  const replaced = await failed({ createdAt: at.services.now() });
  const { leadId } = await at.row(replaced);
  await insertDelivery(at.database, {
    leadId,
    channel: 'provider-email',
    createdAt: new Date(at.clock.ms + 1),
  });
  expect(await reclassifyFailed(db, at.services.now())).toBe(4);
  const states = await Promise.all(
    [tooOld, notice, crm, replaced].map(async (id) => (await at.row(id)).state),
  );
  expect(states).toEqual(['failed', 'queued', 'queued', 'failed']);
});

async function insertFailed(
  { database: { db }, services }: DeliverySetup,
  email: string,
  attempt: Pick<DeliveryAttemptInsert, 'status' | 'reason'>,
): Promise<string> {
  const lead = await insertLead(db, { email });
  const common = { leadId: lead.id, channel: 'lead-email' } as const;
  const failed = { state: 'failed', attempts: 1, createdAt: services.now() } as const;
  const id = await insertDelivery({ db }, { ...common, ...failed });
  const refused = { outcome: 'failed', durationMs: 5, at: services.now(), ...attempt } as const;
  await db.insert(deliveryAttempts).values({ deliveryId: id, ...common, ...refused });
  return id;
}

test('emails that bounced within an hour are no refusals of ours, also at a start', async () => {
  await using at = await setUpDeliveries();
  const bounced = { status: 'SMTP 250', reason: 'The email bounced: 550 5.1.1 no such user' };
  const ids: string[] = [];
  for (let nth = 0; nth < 5; nth += 1)
    ids.push(await insertFailed(at, `${nth}@domain-${nth}.example`, bounced));
  await createHeldTender(at.services)();
  const states = await Promise.all(ids.map(async (id) => (await at.row(id)).state));
  expect(states).toEqual(Array(5).fill('failed'));
});

test('what a process of 1.0.0 fails beside this version is judged within an hour', async () => {
  await using at = await setUpDeliveries();
  const tend = createHeldTender(at.services);
  await tend();
  const id = await insertFailed(at, 'ada@example.com', { status: 'SMTP 535', reason: 'Refused.' });
  at.clock.ms += dayMs / 24;
  await tend();
  expect(await at.row(id)).toMatchObject({ state: 'queued' });
});
