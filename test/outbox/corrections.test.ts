import { describe, expect, test } from 'vitest';
import { parseConfig } from '#server/config/config.ts';
import { assignLeads } from '#server/features/leads/changes/assignLeads.ts';
import { releaseLeads } from '#server/features/leads/changes/leadChanges.ts';
import { createChannels } from '#server/features/outbox/channels/deliveryChannels.ts';
import { repeatReason } from '#server/features/outbox/repeats.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { crmEnvironment } from '#test/support/outboxSetup.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { setUpIntake } from '#test/support/intakeSetup.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';

const crm = crmEnvironment({ url: 'http://127.0.0.1:9/' });
const channels = createChannels(parseConfig(crm));
const dayMs = 86_400_000;

interface ToProvider {
  lead: number;
  state: string;
  reason: string | null;
  corrects: number | null;
}

/** The deliveries to providers, in the order of the leads. */
async function toProvider({ sql }: TestDb): Promise<ToProvider[]> {
  const rows = await sql<ToProvider[]>`
    select lead_id::int as lead, state, case when state = 'cancelled' then reason end as reason, corrects_lead_id::int as corrects
    from deliveries where channel = 'provider-email' order by lead_id`;
  return [...rows];
}

describe('a later lead of the same person within a day', () => {
  test.each(['phone', 'email'] as const)(
    'with another %s is sent to the provider as a correction',
    async (field) => {
      meets('D.leads.73');
      await using at = await setUpIntake(crm);
      await insertProvider(at.database.db, { zipCode: '80202' });
      const real = leadInput();
      const decoy = await at.send({ ...real, [field]: leadInput()[field] });
      at.clock.ms += 60_000;
      const { body } = await at.send(real);
      expect(await toProvider(at.database)).toEqual([
        { lead: decoy.body.id, state: 'queued', reason: null, corrects: null },
        { lead: body.id, state: 'queued', reason: null, corrects: decoy.body.id },
      ]);
    },
  );

  test('is skipped only if email and phone equal the newest received ones', async () => {
    meets('D.leads.72');
    await using at = await setUpIntake(crm);
    await insertProvider(at.database.db, { zipCode: '80202' });
    const [first, second] = [leadInput(), leadInput()];
    const corrected = { ...second, email: first.email };
    const ids: number[] = [];
    for (const input of [
      first,
      corrected,
      { ...corrected, first_name: 'Other' },
      { ...first, last_name: 'Other' },
    ]) {
      ids.push((await at.send(input)).body.id);
      at.clock.ms += 120_000;
    }
    const [one, two, three, four] = ids;
    expect(await toProvider(at.database)).toEqual([
      { lead: one, state: 'queued', reason: null, corrects: null },
      { lead: two, state: 'queued', reason: null, corrects: one },
      { lead: three, state: 'cancelled', reason: repeatReason, corrects: null },
      { lead: four, state: 'queued', reason: null, corrects: two },
    ]);
    expect(
      await at.database.sql`select 1 from deliveries where channel = 'crm' and state = 'queued'`,
    ).toHaveLength(4);
  });

  test('is no correction if released after a newer one with other details', async () => {
    await using at = await setUpIntake(crm);
    await insertProvider(at.database.db, { zipCode: '80202' });
    const [first, second] = [leadInput(), leadInput()];
    const newer = { ...first, phone: second.phone };
    const received = (await at.send({ ...first, last_name: 'Other' })).body.id;
    at.clock.ms += 120_000;
    const forged = { form: 'landing', token: 'forged' } as const;
    const older = (await at.send({ ...first, phone: leadInput().phone, ...forged })).body.id;
    const equal = (await at.send({ ...newer, ...forged })).body.id;
    const { id } = (await at.send(newer)).body;
    at.clock.ms += 120_000;
    await releaseLeads(staffActionOn(at.database, at.clock, channels), [older, equal]);
    expect(await toProvider(at.database)).toEqual([
      { lead: received, state: 'queued', reason: null, corrects: null },
      { lead: older, state: 'held', reason: null, corrects: null },
      { lead: equal, state: 'cancelled', reason: repeatReason, corrects: null },
      { lead: id, state: 'queued', reason: null, corrects: received },
    ]);
  });

  test('after a day, or for another provider, corrects nothing', async () => {
    await using at = await setUpIntake(crm);
    for (const zipCode of ['80202', '60601']) await insertProvider(at.database.db, { zipCode });
    const input = leadInput({ zip_code: '80202' });
    await at.send(input);
    at.clock.ms += dayMs;
    await at.send({ ...input, phone: leadInput().phone });
    await at.send({ ...input, phone: leadInput().phone, zip_code: '60601' });
    const rows = await toProvider(at.database);
    expect(rows.map(({ state, corrects }) => [state, corrects])).toEqual([
      ['queued', null],
      ['queued', null],
      ['queued', null],
    ]);
  });

  test('is judged by the same rule when staff give leads to a provider', async () => {
    await using database = await testDb();
    const { db } = database;
    const provider = await insertProvider(db);
    const first = await insertLead(db);
    const { email, phone } = first;
    const equal = await insertLead(db, { email, phone });
    const corrected = await insertLead(db, { email });
    const late = await insertLead(db, { email, phone: corrected.phone });
    const linked = await insertLead(db, { phone: corrected.phone });
    const staffAction = staffActionOn(database, undefined, channels);
    await assignLeads(staffAction, [first.id, equal.id, corrected.id], provider.id);
    await assignLeads(staffAction, [late.id, linked.id], provider.id);
    const rows = await toProvider(database);
    expect(rows.map(({ lead, state, corrects }) => [lead, state, corrects])).toEqual([
      [first.id, 'held', null],
      [equal.id, 'cancelled', null],
      [corrected.id, 'held', first.id],
      [late.id, 'cancelled', null],
      [linked.id, 'held', corrected.id],
    ]);
  });
});
