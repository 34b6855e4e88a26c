import { expect, test } from 'vitest';
import { runCommand } from '#test/support/command.ts';
import { sealAll, storeEvidence } from '#test/support/evidence.ts';
import { insertAgreed } from '#test/support/leadRows.ts';
import { testDb } from '#test/support/testDb.ts';
import { testSecret } from '#test/support/testKeys.ts';

test('npm run person exports and erases a person whose leads were purged', async () => {
  await using database = await testDb();
  const { sql } = database;
  await storeEvidence(database, 2);
  await sealAll(database);
  await sql`delete from leads`;
  const [record] = await sql<{ email: string }[]>`select email from consent_records where id = 1`;
  const email = record?.email ?? '';
  const env = { DATABASE_URL: database.url, SECRET_KEYS: testSecret };
  const person = (...args: string[]) => runCommand('person', args, env);

  const exported = await person('export', email.toUpperCase());
  expect(exported.status).toBe(0);
  expect(JSON.parse(exported.output)).toMatchObject({
    leadId: null,
    consent_records: [{ email }],
  });

  expect(await person('erase', email)).toEqual({
    status: 0,
    output: expect.stringMatching(
      /^Lead 1 of \S+: purged\.\nConsent records: 1\.\nNothing was erased\. Add --yes/,
    ),
  });
  expect(await person('erase', email, '--yes')).toEqual({
    status: 0,
    output: 'Erased: leads 1; consent records: 1; notices queued: 0.\n',
  });
  const left = await sql`select id::int as id from consent_records where email <> ''`;
  expect([...left]).toEqual([{ id: 2 }]);
  const audit = await sql`select actor_kind, actor_name, action, subject_id from audit_log order by id`;
  const entry = { actor_kind: 'command', actor_name: 'npm run person' };
  expect([...audit]).toEqual([
    { ...entry, action: 'person.export', subject_id: '1' },
    { ...entry, action: 'person.erase', subject_id: '1' },
  ]);
  expect(await person('erase', email, '--yes')).toEqual({
    status: 1,
    output: 'No lead and no evidence of consent has this email address.\n',
  });
  expect((await runCommand('consentVerify', [], env)).output).toContain('the whole chain are intact.');
});

test('npm run person names leads of the mailbox, and takes those the operator adds', async () => {
  await using database = await testDb();
  const env = { DATABASE_URL: database.url, SECRET_KEYS: testSecret };
  const person = (...args: string[]) => runCommand('person', args, env);
  const [own, tagged, other] = [
    await insertAgreed(database.db, { email: 'mal@mail.example' }),
    await insertAgreed(database.db, { email: 'mal+news@mail.example' }),
    await insertAgreed(database.db, { email: 'mal+old@mail.example' }),
  ];
  const leftOut = (lead: { id: number; email: string }): string =>
    `Left out: lead ${lead.id}, with another spelling of the mailbox (${lead.email}). If it is the same person, add it with --same-mailbox.\n`;
  const found = await person('erase', own.email);
  for (const lead of [tagged, other]) expect(found.output).toContain(leftOut(lead));
  const added = ['--same-mailbox', String(tagged.id)];
  const exported = await person('export', own.email, ...added);
  expect(exported.output).toContain('mal+news@mail.example');
  expect(exported.output).not.toContain(`"mal+old@mail.example"`);
  expect(exported.output).toContain(leftOut(other));
  expect(await person('erase', own.email, ...added, '--yes')).toEqual({
    status: 0,
    output: `Erased: leads ${own.id}, ${tagged.id}; consent records: 2; notices queued: 0.\n${leftOut(other)}`,
  });
  expect((await person('erase', own.email, '--yes')).output).toBe(
    `No lead and no evidence of consent has this email address. Other spellings of the mailbox: ${other.email}.\n`,
  );
});

test('npm run person with wrong arguments prints its usage', async () => {
  await using database = await testDb();
  const env = { DATABASE_URL: database.url, SECRET_KEYS: testSecret };
  for (const args of [
    [],
    ['erase'],
    ['find', 'a@mail.example'],
    ['erase', 'a@mail.example', '--reason', 'x'],
    ['erase', 'a@mail.example', '--same-mailbox', 'b@mail.example'],
  ])
    expect(await runCommand('person', args, env)).toEqual({
      status: 1,
      output: expect.stringMatching(/^npm run person -- export <email> /),
    });
});
