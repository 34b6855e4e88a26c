import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { deliveries, type DeliveryRow, recipientEmails } from '#server/db/schema/index.ts';
import { viewLead } from '#server/features/leads/detail/leadDetail.ts';
import { retryLead } from '#server/features/leads/changes/leadRetries.ts';
import { deliverOne } from '#test/support/outboxSetup.ts';
import { unprovenReason } from '#server/features/outbox/enqueueDeliveries.ts';
import { readQueueHealth } from '#server/features/deliveries/queueHealth.ts';
import {
  ceilingReason,
  dayReason,
  purgeRecipientEmails,
  resendReason,
  weekReason,
} from '#server/features/mail/recipientLimits.ts';
import { markDoNotContact } from '#server/features/withdrawals/staffSuppression.ts';
import { rematchUnmatched } from '#server/features/leads/changes/rematch.ts';
import { requestRematch } from '#server/features/leads/changes/rematch.ts';
import { registry } from '#server/metrics.ts';
import type { LeadCreateInput } from '#shared/leads/leads.ts';
import { suppressedReason } from '#shared/leads/suppression.ts';
import { testActor } from '#test/support/staffActions.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { type MailSetup, setUpMail } from '#test/support/mailSetup.ts';
import { meets } from '#test/support/meets.ts';
import { getToken } from '#test/support/staff.ts';
import { testApp } from '#test/support/testApp.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

async function getNewest(given: MailSetup, leadId: number): Promise<DeliveryRow> {
  const rows = await given.at.services.db
    .select()
    .from(deliveries)
    .where(eq(deliveries.leadId, leadId))
    .orderBy(deliveries.createdAt);
  const row = rows.findLast(({ channel }) => channel === 'lead-email');
  if (row === undefined) throw new Error('the lead has no lead email');
  return row;
}

/** Sends a lead by the form and makes one attempt of its email. */
async function arrive(given: MailSetup, overrides: Partial<LeadCreateInput>): Promise<number> {
  const { id } = await given.sendForm(overrides);
  await attempt(given, id);
  return id;
}

async function attempt(given: MailSetup, leadId: number): Promise<void> {
  const { id } = await getNewest(given, leadId);
  await deliverOne(given.at.services, id, new AbortController().signal);
}

async function toOutcome(given: MailSetup, leadId: number): Promise<Pick<DeliveryRow, 'state' | 'reason'>> {
  const { state, reason } = await getNewest(given, leadId);
  return { state, reason };
}

const delivered = { state: 'delivered', reason: null };

describe('the limits of a recipient', () => {
  test('an address gets one lead email a day and three a week, in any case or tag', async () => {
    meets('D.abuse.05 D.abuse.06');
    await using given = await setUpMail();
    const outcomes: unknown[] = [];
    const sendTo = async (email: string): Promise<void> => {
      outcomes.push(await toOutcome(given, await arrive(given, { email })));
    };
    await sendTo('victim@target.example');
    await sendTo('Victim@Target.example');
    await sendTo('victim+other@target.example');
    given.at.clock.ms += dayMs;
    await sendTo('VICTIM+1@target.example');
    given.at.clock.ms += dayMs;
    await sendTo('victim@target.example');
    given.at.clock.ms += dayMs;
    await sendTo('victim@target.example');
    await sendTo('other.victim@target.example');
    given.at.clock.ms += 5 * dayMs;
    await sendTo('victim@target.example');
    const [day, week] = [dayReason, weekReason].map((reason) => ({ state: 'cancelled', reason }));
    expect(outcomes).toEqual([delivered, day, day, delivered, delivered, week, delivered, delivered]);
    expect(given.server.received).toHaveLength(5);
  });

  test('limits and suppressions treat spellings of a domain as one address', async () => {
    meets('D.deliveries.34');
    await using given = await setUpMail();
    const first = await arrive(given, { email: 'victim@target.example' });
    const spellings = ['victim@ｔarget.example', 'Victim+1@ⓣarget.example', 'victim@target.ⓔxample'];
    const others: number[] = [];
    for (const email of spellings) others.push(await arrive(given, { email }));
    for (const id of others)
      expect(await toOutcome(given, id)).toEqual({ state: 'cancelled', reason: dayReason });
    expect(given.server.received).toHaveLength(1);

    await markDoNotContact({ services: given.at.services, actor: testActor, ip: '127.0.0.1' }, first);
    for (const email of ['victim@ⓣarget.example', 'victim@target.example']) {
      const { id } = await given.sendForm({ email });
      await attempt(given, id);
      expect(await toOutcome(given, id)).toEqual({ state: 'cancelled', reason: suppressedReason });
    }
  });

  test('of concurrent emails to one address, one is sent', async () => {
    meets('D.abuse.07');
    await using given = await setUpMail();
    const ids: number[] = [];
    for (const tag of ['a', 'b', 'c', 'd'])
      ids.push((await given.sendForm({ email: `v+${tag}@target.example` })).id);
    await Promise.all(ids.map((id) => attempt(given, id)));
    const outcomes = await Promise.all(ids.map((id) => toOutcome(given, id)));
    expect(outcomes.map(({ state }) => state).toSorted()).toEqual([
      'cancelled',
      'cancelled',
      'cancelled',
      'delivered',
    ]);
    expect(given.server.received).toHaveLength(1);
  });

  test('a delivery counts once for all attempts, and not after it failed', async () => {
    let code = 451;
    await using given = await setUpMail(
      {},
      {
        onRcptTo: (_address, _session, callback) =>
          callback(code === 0 ? undefined : Object.assign(new Error('no'), { responseCode: code })),
      },
    );
    const email = 'victim@target.example';
    const first = await arrive(given, { email });
    given.at.clock.ms += 10_000;
    await attempt(given, first);
    expect(await getNewest(given, first)).toMatchObject({ state: 'queued', attempts: 2 });
    expect(await given.at.services.db.select().from(recipientEmails)).toHaveLength(1);
    code = 0;
    const second = await arrive(given, { email });
    expect(await toOutcome(given, second)).toEqual({ state: 'cancelled', reason: dayReason });
    code = 550;
    given.at.clock.ms += hourMs;
    await attempt(given, first);
    expect(await getNewest(given, first)).toMatchObject({ state: 'failed' });
    code = 0;
    expect(await toOutcome(given, await arrive(given, { email }))).toEqual(delivered);
  });

  test('an email to the provider is neither counted nor withheld', async () => {
    meets('D.abuse.10');
    await using given = await setUpMail();
    const provider = await insertProvider(given.at.database.db, {
      zipCode: '80202',
      email: 'victim@target.example',
    });
    const lead = await given.sendForm({ email: 'victim@target.example' });
    for (const template of ['lead', 'withdrawn'] as const)
      expect(await given.deliver('provider-email', lead, provider, { template })).toMatchObject({
        outcome: 'delivered',
      });
    expect(await given.at.services.db.select().from(recipientEmails)).toEqual([]);
  });

  test('a withheld email shows on its lead with the reason', async () => {
    await using given = await setUpMail();
    await arrive(given, { email: 'victim@target.example' });
    const id = await arrive(given, { email: 'victim+2@target.example' });
    const { events } = await viewLead({ services: given.at.services, actor: testActor, ip: null }, id);
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: 'delivery-withheld',
        by: 'System',
        detail: expect.stringContaining(dayReason),
      }),
    );
  });

  test('rows older than a week are purged', async () => {
    await using given = await setUpMail();
    await arrive(given, {});
    const { db } = given.at.services;
    const purge = async (): Promise<void> => {
      await purgeRecipientEmails(db, given.at.services.now());
    };
    given.at.clock.ms += 7 * dayMs - hourMs;
    await purge();
    expect(await db.select().from(recipientEmails)).toHaveLength(1);
    given.at.clock.ms += 2 * hourMs;
    await purge();
    expect(await db.select().from(recipientEmails)).toEqual([]);
  });
});

describe('a resend by staff', () => {
  test('is exempt from the limits, audited, and capped at five a day for an address', async () => {
    meets('D.abuse.11 D.abuse.12 D.abuse.13');
    await using given = await setUpMail();
    const { services, clock } = given.at;
    const ids: number[] = [];
    for (const tag of ['a', 'b', 'c']) ids.push(await arrive(given, { email: `v+${tag}@target.example` }));
    const [first = 0, second = 0, third = 0] = ids;
    expect(await toOutcome(given, second)).toEqual({ state: 'cancelled', reason: dayReason });
    const outcomes: unknown[] = [];
    for (const id of [first, second, third, first, second, third]) {
      clock.ms += 1_000;
      outcomes.push(await retryLead({ services, actor: testActor, ip: null }, id, 'email'));
    }
    expect(outcomes).toEqual([
      ...Array.from({ length: 5 }, () => ({ success: true })),
      { success: false, error: resendReason },
    ]);
    expect(given.server.received).toHaveLength(6);
    const audited = await given.at.database
      .sql`select detail from audit_log where action = 'lead.retry' order by id`;
    expect(audited.map(({ detail }) => detail as unknown)).toEqual([
      ...Array.from({ length: 5 }, () => ({ what: 'email', success: true })),
      { what: 'email', success: false, error: resendReason },
    ]);
    clock.ms += dayMs;
    expect(await retryLead({ services, actor: testActor, ip: null }, third, 'email')).toEqual({
      success: true,
    });
  });
});

describe('the hourly limit of all lead emails', () => {
  test('above it lead emails wait without losing attempts, and staff are alerted', async () => {
    meets('D.abuse.09');
    await using given = await setUpMail({ LEAD_EMAILS_PER_HOUR: '2' });
    const { services, clock } = given.at;
    const provider = await insertProvider(given.at.database.db, { zipCode: '80202' });
    const error = vi.spyOn(services.log, 'error');
    const metric = async (): Promise<number> => {
      const found = registry.getSingleMetric('lead_email_ceiling_reached_total');
      return (await found?.get())?.values[0]?.value ?? 0;
    };
    const before = await metric();
    expect(await readQueueHealth(services.db, { now: services.now(), withWebhooks: true })).toMatchObject({
      overHourlyLimit: 0,
    });
    for (let sent = 0; sent < 2; sent += 1)
      expect(await toOutcome(given, await arrive(given, {}))).toEqual(delivered);
    const waiting = [await arrive(given, {}), await arrive(given, {})];
    for (const id of waiting)
      expect(await getNewest(given, id)).toMatchObject({
        state: 'queued',
        reason: ceilingReason,
        attempts: 0,
      });
    const [first = 0] = waiting;
    const { nextAttemptAt } = await getNewest(given, first);
    expect((nextAttemptAt?.getTime() ?? 0) - clock.ms).toBeGreaterThan(60_000);
    expect((nextAttemptAt?.getTime() ?? Infinity) - clock.ms).toBeLessThan(hourMs);
    expect(error).toHaveBeenCalledTimes(1);
    expect(await metric()).toBe(before + 2);
    expect(await readQueueHealth(services.db, { now: services.now(), withWebhooks: true })).toMatchObject({
      overHourlyLimit: 2,
    });
    // Emails to providers continue.
    const lead = await given.sendForm();
    expect(await given.deliver('provider-email', lead, provider)).toMatchObject({ outcome: 'delivered' });
    clock.ms += 11 * 60_000;
    await attempt(given, first);
    expect(await getNewest(given, first)).toMatchObject({ state: 'queued', attempts: 0 });
    expect(error).toHaveBeenCalledTimes(2);
    clock.ms += hourMs;
    for (const id of waiting) await attempt(given, id);
    for (const id of waiting) expect(await getNewest(given, id)).toMatchObject({ ...delivered, attempts: 1 });
    expect(await readQueueHealth(services.db, { now: services.now(), withWebhooks: true })).toMatchObject({
      overHourlyLimit: 0,
    });
  });
});

describe('a lead without a form token', () => {
  test('causes no email to the person without an API token with leads:write', async () => {
    meets('D.abuse.14 D.abuse.15');
    await using app = await testApp();
    const provider = await insertProvider(app.db, { zipCode: '80202' });
    const planned = async (headers: Record<string, string>): Promise<string[]> => {
      const answer = await app.post('/api/leads', leadInput(), headers);
      expect(answer.status).toBe(201);
      const { id } = answer.json() as { id: number };
      const rows = await app.db.select().from(deliveries).where(eq(deliveries.leadId, id));
      return rows
        .map(({ channel, providerId, state, reason }) =>
          `${channel} ${providerId} ${state} ${reason ?? ''}`.trim(),
        )
        .toSorted();
    };
    const crm = `crm ${provider.id} held CRM sync is not configured.`;
    const toProvider = `provider-email ${provider.id} queued`;
    const withheld = [crm, `lead-email ${provider.id} cancelled ${unprovenReason}`, toProvider];
    expect(await planned({})).toEqual(withheld);
    expect(await planned(await getToken(app, ['leads:read', 'providers:write']))).toEqual(withheld);
    expect(await planned(await getToken(app, ['leads:write']))).toEqual([
      crm,
      `lead-email ${provider.id} queued`,
      toProvider,
    ]);
  });

  test('with an unknown or revoked bearer token is refused with 401 and not stored', async () => {
    await using app = await testApp();
    const revoked = await getToken(app, ['leads:write']);
    await app.sql`update api_tokens set revoked_at = now()`;
    for (const headers of [revoked, { authorization: 'Bearer mpx_unknown' }])
      for (const path of ['/api/leads', '/trpc/leads.create']) {
        const answer = await app.post(path, leadInput(), headers);
        expect(answer.status).toBe(401);
      }
    expect(await app.sql`select 1 from leads`).toHaveLength(0);
  });

  test('causes no email when a provider is found later', async () => {
    await using given = await setUpMail();
    const proven = await given.sendForm({ zip_code: '80202' });
    const unproven = await given.send({ zip_code: '80202' });
    await attempt(given, proven.id);
    const provider = await insertProvider(given.at.database.db, { zipCode: '80202' });
    given.at.clock.ms += 1_000;
    await requestRematch(given.at.services.db);
    expect(await rematchUnmatched(given.at.services)).toBe(2);
    const rows = await Promise.all([proven, unproven].map(({ id }) => getNewest(given, id)));
    expect(rows.map(({ providerId, state, reason }) => ({ providerId, state, reason }))).toEqual([
      { providerId: provider.id, state: 'queued', reason: null },
      { providerId: provider.id, state: 'cancelled', reason: unprovenReason },
    ]);
  });

  test('can be resent by staff', async () => {
    await using given = await setUpMail();
    const { id } = await given.send();
    expect(await toOutcome(given, id)).toEqual({ state: 'cancelled', reason: unprovenReason });
    given.at.clock.ms += 1_000;
    const { services } = given.at;
    expect(await retryLead({ services, actor: testActor, ip: null }, id, 'email')).toEqual({ success: true });
  });
});
