import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { leadListInput } from '#shared/admin/adminLeads.ts';
import { type DeliveryInsert, deliveries } from '#server/db/schema/index.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertLead, insertLeads } from '#test/support/leadRows.ts';
import { testDb } from '#test/support/testDb.ts';
import { listLeads } from './leadList.ts';

describe('the list of leads', () => {
  test('shows a lead by the specification’s names, with its provider and match reason', async () => {
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
        match: { method: 'nearest', reason: row.matchReason, miles: 1 },
        isRepeat: false,
        filledHoneypot: false,
        quarantineReason: null,
        isErased: false,
        outcome: null,
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
