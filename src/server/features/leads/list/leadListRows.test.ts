import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { leadListInput } from '#shared/admin/adminLeads.ts';
import { type DeliveryInsert, deliveries } from '#server/db/schema/index.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertLead, insertLeads } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import { testDb } from '#test/support/testDb.ts';
import { listLeads } from './leadList.ts';

describe('the list of leads', () => {
  test('shows a lead by the specification’s names, with its provider and match reason', async () => {
    meets('P3.lead.01 D.leads.61 D.conformity.45');
    await using own = await testDb();
    const provider = await insertProvider(own.db, { name: 'Gable End', status: 'f' });
    const row = await insertLead(own.db, { providerId: provider.id, crmSyncStatus: null });
    const { leads: listed } = await listLeads(own.db, leadListInput.parse({}));
    expect(listed).toEqual([
      {
        id: row.id,
        first_name: row.firstName,
        last_name: row.lastName,
        email: row.email,
        phone: row.phone,
        zip_code: '80202',
        provider_id: provider.id,
        provider: { name: 'Gable End', status: 'f' },
        updated_at: row.createdAt.toISOString(),
        deleted_at: null,
        created_at: '2026-06-01T12:00:00.000Z',
        crm_sync_status: null,
        crmDelivery: null,
        providerDelivery: null,
        clinicNotReached: false,
        stage: {
          ...{ receivedAt: '2026-06-01T12:00:00.000Z', sentAt: null, reachedAt: null, bookedAt: null },
          ...{ isBroken: false, hasOutcome: false },
        },
        match: { method: 'nearest', reason: row.matchReason, miles: 1 },
        isRepeat: false,
        filledHoneypot: false,
        quarantineReason: null,
        isErased: false,
        outcome: null,
        followUpOn: null,
      },
    ]);
  });

  test('shows the reason and the next attempt of the latest CRM delivery', async () => {
    await using own = await testDb();
    const [waiting, held, sending] = [
      await insertLead(own.db),
      await insertLead(own.db),
      await insertLead(own.db),
    ];
    const due = new Date('2026-06-01T13:00:00Z');
    const crm = { channel: 'crm', createdAt: due } as const;
    const rows: Omit<DeliveryInsert, 'id'>[] = [
      {
        ...crm,
        leadId: waiting.id,
        state: 'failed',
        reason: 'HTTP 400',
        finishedAt: due,
        createdAt: new Date(0),
      },
      { ...crm, leadId: waiting.id, state: 'queued', reason: 'HTTP 503', nextAttemptAt: due },
      { channel: 'lead-email', leadId: waiting.id, state: 'held', reason: 'No mail.' },
      { ...crm, leadId: held.id, state: 'held', reason: 'No CRM.' },
      { ...crm, leadId: sending.id, state: 'queued', nextAttemptAt: due, leasedUntil: due, attempts: 1 },
    ];
    await own.db.insert(deliveries).values(rows.map((row) => ({ id: randomUUID(), ...row })));
    const { leads: listed } = await listLeads(own.db, leadListInput.parse({ sort: 'created_at' }));
    expect(listed.map(({ crmDelivery }) => crmDelivery)).toEqual([
      { state: 'queued', reason: 'HTTP 503', nextAttemptAt: due.toISOString() },
      { state: 'held', reason: 'No CRM.', nextAttemptAt: null },
      { state: 'queued', reason: null, nextAttemptAt: null },
    ]);
  });

  test('shows the latest email to the provider, without notices and older ones', async () => {
    await using own = await testDb();
    const { id: leadId } = await insertLead(own.db, { clinicNotReached: true });
    const [early, late] = [new Date('2026-06-01T13:00:00Z'), new Date('2026-06-01T14:00:00Z')];
    const email = { channel: 'provider-email', leadId } as const;
    const rows: Omit<DeliveryInsert, 'id'>[] = [
      { ...email, createdAt: early, state: 'delivered', finishedAt: early },
      {
        ...{ ...email, createdAt: late, state: 'held', reason: 'Refused.' },
        ...{ holdCause: 'later', nextAttemptAt: late },
      },
      { ...email, createdAt: late, template: 'withdrawn', nextAttemptAt: late },
      { channel: 'lead-email', leadId, createdAt: late, state: 'failed', reason: 'No.', finishedAt: late },
    ];
    await own.db.insert(deliveries).values(rows.map((row) => ({ id: randomUUID(), ...row })));
    const { leads: listed } = await listLeads(own.db, leadListInput.parse({}));
    expect(listed).toMatchObject([
      {
        clinicNotReached: true,
        stage: { isBroken: true },
        providerDelivery: { state: 'held', reason: 'Refused.', nextAttemptAt: late.toISOString() },
      },
    ]);
  });

  test('has the leads from an instant on and before another', async () => {
    await using own = await testDb();
    const hours = ['06:59:59', '07:00:00', '06:59:59', '07:00:00'];
    const days = ['2026-06-02', '2026-06-02', '2026-06-03', '2026-06-03'];
    const rows = await insertLeads(
      own.db,
      days.map((date, at) => ({ createdAt: new Date(`${date}T${hours[at]}Z`) })),
    );
    const { leads: listed } = await listLeads(
      own.db,
      leadListInput.parse({
        createdFrom: '2026-06-02T07:00:00Z',
        createdBefore: '2026-06-03T07:00:00Z',
        sort: 'created_at',
      }),
    );
    expect(listed.map(({ id }) => id)).toEqual([rows[1]?.id, rows[2]?.id]);
  });
});

test.each(['-created_at', 'created_at', 'last_name', '-zip_code'] as const)(
  'pages by %s repeat nothing when leads arrive between them',
  async (sort) => {
    await using own = await testDb();
    const { db } = own;
    const rows = (count: number, lastName: string) =>
      insertLeads(
        db,
        Array.from({ length: count }, (_, index) => ({
          ...{ lastName: `${lastName}${index}`, zipCode: `8020${index % 10}` },
          createdAt: new Date(Date.UTC(2026, 5, 1, 12, index)),
        })),
      );
    const first = await rows(7, 'M');
    const list = (page: number, upTo?: number) =>
      listLeads(db, leadListInput.parse({ sort, page, limit: 3, upTo }));
    const { leads: shown, newestId } = await list(1);
    await insertLeads(db, [
      { lastName: 'A', zipCode: '99999', createdAt: new Date(Date.UTC(2026, 6, 1)) },
      { lastName: 'N', zipCode: '00000', createdAt: new Date(Date.UTC(2026, 4, 1)) },
    ]);
    const second = await list(2, newestId ?? undefined);
    const third = await list(3, newestId ?? undefined);
    const ids = [...shown, ...second.leads, ...third.leads].map(({ id }) => id);
    expect(ids.toSorted((a, b) => a - b)).toEqual(first.map(({ id }) => id));
    expect(second.total).toBe(7);
    expect((await list(1)).total).toBe(9);
  },
);
