import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { leads } from '#server/db/schema/index.ts';
import { leadInput } from '#test/support/factories.ts';
import { setUpIntake } from '#test/support/intakeSetup.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { isSuppressed } from '../suppression/suppressions.ts';
import { erasePerson } from './erasePerson.ts';
import { findPerson } from './findPerson.ts';
import { exportPerson } from './personExport.ts';

test('another spelling of the mailbox is offered, and taken only if staff confirm it', async () => {
  await using at = await setUpIntake();
  const send = async (email: string): Promise<number> => {
    at.clock.ms += 1_000;
    return (await at.send(leadInput({ form: 'landing', email }))).body.id;
  };
  const asked = await send('m.al@gmail.com');
  const [tagged, plain] = [await send('mal+news@gmail.com'), await send('Mal@googlemail.com')];
  const others = [
    await send('mali@gmail.com'),
    await send('mal-news@gmail.com'),
    await send('mal@mail.example'),
  ];
  // A purged lead is found by its evidence.
  const purged = await send('MAL+old@gmail.com');
  await at.database.db.delete(leads).where(eq(leads.id, purged));
  const { found, leadIds } = await findPerson(at.database.db, { leadId: asked });
  expect(found.map(({ id, foundBy }) => [id, foundBy])).toEqual([
    [asked, 'email'],
    ...[tagged, plain, purged].map((id) => [id, 'mailbox']),
  ]);
  expect(leadIds).toEqual([asked]);
  const getFile = async (sameMailbox: number[]) => {
    const { text, leftOut } = await exportPerson(at.services, { leadId: asked, sameMailbox });
    return { hasTagged: text.includes('mal+news@'), hasPlain: text.includes('Mal@googlemail'), leftOut };
  };
  expect(await getFile([])).toEqual({ hasTagged: false, hasPlain: false, leftOut: 3 });
  expect(await getFile([tagged])).toEqual({ hasTagged: true, hasPlain: false, leftOut: 2 });
  const staffAction = staffActionOn(at.database);
  const erase = (sameMailbox: number[], shown = [asked]) =>
    erasePerson(staffAction, { leadId: asked, reason: 'asked', sameMailbox, shown });
  await expect(erase([tagged, ...others.slice(0, 1)])).rejects.toMatchObject({ code: 'CONFLICT' });
  expect((await erase([tagged, purged])).leadIds).toEqual([asked, tagged, purged]);
  const left = await at.database.sql`select id::int as id from leads where erased_at is null order by id`;
  expect(left.map(({ id }) => id)).toEqual([plain, ...others]);
  const [line] = await at.database.sql`select detail from audit_log where action = 'person.erase' limit 1`;
  expect(line).toEqual({ detail: { reason: 'asked', leads: 3, leftOut: 1 } });
});

test('an address that no lead has names the other spellings of its mailbox', async () => {
  await using at = await setUpIntake();
  await at.send(leadInput({ form: 'landing', email: 'mal+news@mail.example' }));
  await expect(findPerson(at.database.db, { email: 'mal@mail.example' })).rejects.toThrow(
    'Other spellings of the mailbox: mal+news@mail.example.',
  );
  await expect(findPerson(at.database.db, { email: 'mall@mail.example' })).rejects.toThrow(/address\.$/);
});

test('a lead whose address staff corrected is another person’s, unless they confirm it', async () => {
  await using at = await setUpIntake();
  const { db, sql } = at.database;
  const send = async (over: object): Promise<number> => {
    at.clock.ms += 1_000;
    return (await at.send(leadInput({ form: 'landing', ...over }))).body.id;
  };
  const slip = { email: 'ess@mail.example', first_name: 'Corinna', phone: '(720) 555-0101' };
  const [corrected, further] = [await send(slip), await send({ ...slip, phone: '(720) 555-0102' })];
  await sql`
    update leads set email = 'corinna@mail.example', email_norm = 'corinna@mail.example' where id in (${corrected}, ${further})`;
  // Of a lead that was purged, only the evidence is left, which names the first address.
  await db.delete(leads).where(eq(leads.id, further));
  const key = { email: 'ess@mail.example' };
  // Without a lead of their own, the person has the address only.
  const person = await findPerson(db, key);
  expect(person.found.map(({ id, foundBy, standing }) => [id, foundBy, standing])).toEqual([
    [corrected, expect.stringMatching(/former|phone/), 'kept'],
    [further, 'email', 'purged'],
  ]);
  expect(person.leadIds).not.toContain(corrected);
  const own = await send({ email: 'ess@mail.example', first_name: 'Ess', phone: '(720) 555-0103' });
  const { found } = await findPerson(db, { leadId: own });
  expect(found.find(({ id }) => id === corrected)).toMatchObject({ foundBy: 'former', standing: 'kept' });
  const file = await exportPerson(at.services, { leadId: own });
  expect([file.leadIds.includes(corrected), file.text.includes('corinna@')]).toEqual([false, false]);
  const named = await exportPerson(at.services, { leadId: own, sameMailbox: [corrected] });
  expect([named.leadIds.includes(corrected), named.text.includes('corinna@')]).toEqual([true, true]);
  const staffAction = staffActionOn(at.database);
  expect((await erasePerson(staffAction, { leadId: own, reason: 'asked' })).leadIds).not.toContain(corrected);
  const [kept] = await sql`select email, erased_at from leads where id = ${corrected}`;
  expect(kept).toEqual({ email: 'corinna@mail.example', erased_at: null });
});

test('an erasure by a former address leaves the lead and its phone as they are', async () => {
  await using at = await setUpIntake();
  const { db, sql } = at.database;
  const slip = leadInput({ form: 'landing', email: 'ess@mail.example', phone: '(720) 555-0101' });
  const { id } = (await at.send(slip)).body;
  await sql`update leads set email = 'corinna@mail.example', email_norm = 'corinna@mail.example' where id = ${id}`;
  const staffAction = staffActionOn(at.database);
  const erased = await erasePerson(staffAction, { email: 'ess@mail.example', reason: 'asked' });
  expect(erased.leadIds).toEqual([]);
  const phoneE164 = '+17205550101';
  expect(await isSuppressed(at.services, { emailNorm: 'corinna@mail.example', phoneE164 })).toBe(false);
  expect(await isSuppressed(at.services, { emailNorm: 'ess@mail.example', phoneE164 })).toBe(true);
  expect((await findPerson(db, { leadId: id })).leadIds).toEqual([id]);
});
