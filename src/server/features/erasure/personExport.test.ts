import { expect, test } from 'vitest';
import { z } from 'zod';
import { staffActionOn } from '#test/support/staffActions.ts';
import { sealAll } from '#test/support/evidence.ts';
import { leadInput } from '#test/support/factories.ts';
import { setUpIntake } from '#test/support/intakeSetup.ts';
import { insertPerson, mina, neighborContact, personalTraces } from '#test/support/erasureSetup.ts';
import { testDb } from '#test/support/testDb.ts';
import { viewLead } from '../leads/detail/leadDetail.ts';
import { exportPerson, personTables } from './personExport.ts';

const file = z.record(z.string(), z.array(z.record(z.string(), z.unknown())));

/** Tables with a reference to leads or evidence, by the database's catalog. */
const aboutPeople = `
  select distinct table_name as name from information_schema.columns
  where table_schema = 'public' and column_name in ('lead_id', 'record_id', 'subject_id', 'delivery_id', 'event_id', 'message_id')
  union select conrelid::regclass::text from pg_constraint where contype = 'f' and confrelid in ('leads'::regclass, 'consent_records'::regclass)
  order by name`;

test('the export includes every table that refers to leads or their evidence', async () => {
  await using database = await testDb();
  const tables = await database.sql.unsafe<{ name: string }[]>(aboutPeople);
  expect(tables.length).toBeGreaterThan(8);
  expect(Object.keys(personTables).toSorted()).toEqual(
    // Reports of problems name no lead: they are found by what was typed.
    [...new Set(['leads', 'problem_reports', ...tables.map(({ name }) => name)])].toSorted(),
  );
});

test('the export has every row of the person, also of purged leads, and no other rows', async () => {
  await using at = await setUpIntake();
  const { database } = at;
  const { leadIds, purgedId } = await insertPerson(at);
  const [asked, byPhone] = leadIds;
  const other = leadInput({ first_name: 'Ottilie', form: 'landing' });
  await at.send(other);
  await viewLead(staffActionOn(database), leadIds[0]);
  await sealAll(database);
  const { text } = await exportPerson(at.services, { leadId: asked, samePhone: [purgedId, byPhone] });
  const { exportedAt, leadId, ...rest } = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  expect([exportedAt, leadId]).toEqual(['2026-06-01T12:00:00.000Z', leadIds[0]]);
  const held = file.parse(rest);
  const ofPerson = await database.sql`
    select channel from deliveries where lead_id in ${database.sql(leadIds)} or channel = 'webhook'`;
  expect(ofPerson.length).toBeGreaterThan(4);
  expect(ofPerson.filter(({ channel }) => channel === 'webhook')).toHaveLength(1);
  const counts = Object.fromEntries(Object.entries(held).map(([table, rows]) => [table, rows.length]));
  expect(counts).toEqual({
    found: 4,
    leads: 3,
    lead_attribution: 6,
    consent_records: 4,
    consent_seals: 4,
    consent_seal_queue: 0,
    consent_erasures: 0,
    consent_withdrawals: 3,
    // One delivery of the intake and those of the setup, with the webhook.
    deliveries: ofPerson.length,
    delivery_attempts: 4,
    lead_corrections: 1,
    lead_notes: 1,
    lead_reminders: 1,
    assignment_undos: 1,
    over_limit_leads: 1,
    problem_reports: 1,
    recipient_emails: 1,
    staff_tasks: 1,
    lead_outcomes: 1,
    outcome_choices: 1,
    webhook_events: 1,
    idempotency_keys: 3,
    suppressions: 2,
    audit_log: 3,
  });
  expect(held['leads']?.map(({ id }) => id)).toEqual(leadIds);
  expect(held['consent_records']?.map((row) => row['leadId'])).toEqual([purgedId, ...leadIds]);
  expect(held['consent_records']?.[0]).toMatchObject({
    textShown: 'I, Wilhelmina Quarrington, agree.',
    form: '<form></form>',
  });
  for (const trace of personalTraces) expect(text.toLowerCase()).toContain(trace.toLowerCase());
  for (const trace of ['Ottilie', other.email, neighborContact]) expect(text).not.toContain(trace);
});

test('the export says how each lead was found and omits others with the same phone', async () => {
  await using at = await setUpIntake();
  const { leadIds, purgedId } = await insertPerson(at);
  const [asked, byPhone, byMail] = leadIds;
  const otto = {
    ...mina,
    first_name: 'Otto',
    email: 'otto@mail.example',
    acceptance_message: 'Otto agrees.',
  };
  const left = (await at.send(otto)).body.id;
  const getFile = async (samePhone: number[]): Promise<string> =>
    (await exportPerson(at.services, { leadId: asked, samePhone })).text;
  const found = [
    { leadId: purgedId, foundBy: 'phone', isSameName: true },
    { leadId: asked, foundBy: 'email', isSameName: true },
    { leadId: byPhone, foundBy: 'phone', isSameName: true },
    { leadId: byMail, foundBy: 'email', isSameName: true },
  ];
  const whole = await getFile([purgedId, byPhone, left]);
  expect(JSON.parse(whole)).toMatchObject({
    found: [...found, { leadId: left, foundBy: 'phone', isSameName: false }],
  });
  expect(whole).toContain('otto@mail.example');
  const own = await getFile([purgedId, byPhone]);
  expect(JSON.parse(own)).toMatchObject({ found });
  expect(own).not.toMatch(/otto/i);
  const said = JSON.parse(await getFile([]));
  expect(said).toMatchObject({ found: found.filter(({ foundBy }) => foundBy === 'email') });
});

test('a purged lead is found by its evidence with another spelling of its domain', async () => {
  await using at = await setUpIntake();
  const purged = (await at.send(leadInput({ email: 'Ada@ｍail.example' }))).body.id;
  await at.database.sql`delete from leads where id = ${purged}`;
  await at.send(leadInput({ email: 'ida@ｍail.example' }));
  const { id } = (await at.send(leadInput({ email: 'ada@mail.example' }))).body;
  const { text } = await exportPerson(at.services, { leadId: id, samePhone: [] });
  const { found } = file.parse({ found: Object(JSON.parse(text)).found });
  expect(found?.map((lead) => [lead['leadId'], lead['foundBy']])).toEqual([
    [purged, 'email'],
    [id, 'email'],
  ]);
});
