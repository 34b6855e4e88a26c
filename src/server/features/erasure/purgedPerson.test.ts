import { expect, test } from 'vitest';
import { purgeJunkLeads } from '#server/features/leads/changes/purgeLeads.ts';
import { insertPerson, mina, personalTraces } from '#test/support/erasureSetup.ts';
import { sealAll, verifyEvidence } from '#test/support/evidence.ts';
import { leadInput } from '#test/support/factories.ts';
import { setUpIntake } from '#test/support/intakeSetup.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { isSuppressed } from '../suppression/suppressions.ts';
import { erasePerson } from './erasePerson.ts';
import { findPerson } from './findPerson.ts';
import { exportPerson } from './personExport.ts';

test('a person whose lead expired is exported and erased by the email address', async () => {
  await using at = await setUpIntake();
  const { database } = at;
  const { sql, db } = database;
  const { id } = (await at.send(mina)).body;
  const other = (await at.send(leadInput({ form: 'landing', phone: mina.phone }))).body.id;
  await sql`insert into problem_reports (what, host) values (${`Write to ${mina.email}.`}, 'localhost')`;
  await sealAll(database);
  await sql`delete from deliveries`;
  await sql`update leads set quarantined_at = created_at, quarantine_reason = 'honeypot' where id = ${id}`;
  expect(await purgeJunkLeads(db, new Date(Date.now() + 86_400_000))).toBe(1);

  const key = { email: ' mina.Q@MAIL.example' };
  const exported = await exportPerson(at.services, { ...key, samePhone: [] });
  expect(exported).toMatchObject({ leadIds: [id], leftOut: 1 });
  expect(exported.text).toContain('Wilhelmina');
  expect(exported.text).toContain(`Write to ${mina.email}.`);
  const [record] = await sql`select lead_public_id as id from consent_records where lead_id = ${id}`;

  const receipt = await erasePerson(staffActionOn(database, at.clock), { ...key, reason: 'asked' });
  expect(receipt).toMatchObject({ leadIds: [id], consentRecords: 1 });
  expect(await sql`select 1 from problem_reports`).toHaveLength(0);
  expect(JSON.stringify(await sql`select * from consent_records where lead_id = ${id}`)).not.toMatch(
    new RegExp(personalTraces.slice(0, 3).join('|')),
  );
  expect([...(await sql`select kind, lead_public_ids as leads from erasure_ledger`)]).toEqual([
    { kind: 'erased', leads: [record?.['id']] },
  ]);
  const person = { emailNorm: 'mina.q@mail.example', phoneE164: '+19995550000' };
  expect(await isSuppressed(at.services, person)).toBe(true);
  expect(await sql`select 1 from leads where id = ${other} and erased_at is null`).toHaveLength(1);
  await sealAll(database);
  expect((await verifyEvidence(database)).lines).toEqual([]);
  await expect(findPerson(db, key)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('an email address finds the same leads as one of its leads, purged ones included', async () => {
  await using at = await setUpIntake();
  const { leadIds } = await insertPerson(at);
  const { db } = at.database;
  const byEmail = await findPerson(db, { email: 'mina.q@mail.example' });
  expect(byEmail.leadIds).toEqual([leadIds[0], leadIds[2]]);
  expect(byEmail).toMatchObject({ askedId: leadIds[2] });
  expect((await findPerson(db, { leadId: leadIds[0] })).leadIds).toEqual(byEmail.leadIds);
});

test('evidence of an expired lead is found by a phone number typed with an extension', async () => {
  await using at = await setUpIntake();
  const { sql, db } = at.database;
  const typed = leadInput({
    form: 'landing',
    phone: '011 1 (303) 555-0188 ext. 9',
    email: 'one@example.com',
  });
  const expired = (await at.send(typed)).body.id;
  const other = leadInput({ form: 'landing', phone: '303.555.0188', email: 'two@example.com' });
  const { id: leadId } = (await at.send(other)).body;
  await sealAll(at.database);
  await sql`delete from deliveries`;
  await sql`update leads set quarantined_at = created_at, quarantine_reason = 'honeypot' where id = ${expired}`;
  expect(await purgeJunkLeads(db, new Date(Date.now() + 86_400_000))).toBe(1);
  const exported = await exportPerson(at.services, { leadId, samePhone: [] });
  expect(exported).toMatchObject({ leadIds: [leadId], leftOut: 1 });
});

test.each(['kit@example.com.', 'kit@example.com,', '“kit@example.com”', 'kit`s@example.com'])(
  'evidence of an expired lead with the email %j is found by the address',
  async (email) => {
    await using at = await setUpIntake();
    const { sql, db } = at.database;
    const expired = (await at.send(leadInput({ form: 'landing', email }))).body.id;
    await sealAll(at.database);
    await sql`delete from deliveries`;
    await sql`update leads set quarantined_at = created_at, quarantine_reason = 'honeypot'`;
    expect(await purgeJunkLeads(db, new Date(Date.now() + 86_400_000))).toBe(1);
    const address = email.includes('`') ? "kit's@example.com" : 'kit@example.com';
    expect(await findPerson(db, { email: address })).toMatchObject({ leadIds: [expired] });
  },
);
