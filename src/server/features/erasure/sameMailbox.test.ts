import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { leads } from '#server/db/schema/index.ts';
import { leadInput } from '#test/support/factories.ts';
import { setUpIntake } from '#test/support/intakeSetup.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { erasePerson } from './erasePerson.ts';
import { findPerson } from './findPerson.ts';
import { exportPerson } from './personExport.ts';

test('another spelling of the mailbox is offered, and exported or erased only if staff confirm it', async () => {
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
  const fileOf = async (sameMailbox: number[]) => {
    const { text, leftOut } = await exportPerson(at.services, { leadId: asked, sameMailbox });
    return { hasTagged: text.includes('mal+news@'), hasPlain: text.includes('Mal@googlemail'), leftOut };
  };
  expect(await fileOf([])).toEqual({ hasTagged: false, hasPlain: false, leftOut: 3 });
  expect(await fileOf([tagged])).toEqual({ hasTagged: true, hasPlain: false, leftOut: 2 });
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
