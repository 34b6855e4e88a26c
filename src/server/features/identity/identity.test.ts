import { expect, test } from 'vitest';
import { leadMessages } from '#shared/brand/leadMessages.ts';
import { testDb } from '#test/support/testDb.ts';
import { identityOf, lockPersons, mailboxOf, personOf } from './identity.ts';

test.each([
  [{ email: 'Ada.L@Example.COM', phone: '(303) 555-0101' }, 'ada.l@example.com', '+13035550101'],
  [
    { email: 'ada@xn--bcher-kva.example', phone: '1 303 555 0101' },
    'ada@xn--bcher-kva.example',
    '+13035550101',
  ],
  [{ email: 'ada@Bücher.example', phone: '+49 30 1234567' }, 'ada@xn--bcher-kva.example', '+49301234567'],
  [{ email: 'ada@example.com', phone: '303-555-0101 ext. 12' }, 'ada@example.com', '+13035550101'],
  [{ email: 'ada@example.com', phone: '011 44 20 7946 0958' }, 'ada@example.com', '+442079460958'],
  [{ email: 'ada@example.com', phone: '+44 (0)20 7946 0958' }, 'ada@example.com', '+442079460958'],
  // Numbers that can't exist keep their digits.
  [{ email: 'ada@example.com', phone: '442079460958' }, 'ada@example.com', '+442079460958'],
  [{ email: 'ada@example.com', phone: '0000000000' }, 'ada@example.com', '+10000000000'],
  [
    { email: 'ada@example.com', phone: `30355501${' . '.repeat(200)}01 x 7` },
    'ada@example.com',
    '+13035550101',
  ],
  [{ email: 'ada@example.com', phone: '12' }, 'ada@example.com', null],
  [{ email: 'ada@example.com' }, 'ada@example.com', null],
])('identityOf normalizes %j', (typed, emailNorm, phoneE164) => {
  expect(identityOf(typed)).toMatchObject({ emailNorm, phoneE164 });
});

test('a submission without a phone number that can be called is refused', () => {
  const contact = { email: 'Ada@example.com', phone: '(303) 555-0101' };
  expect(personOf(contact)).toMatchObject({ emailNorm: 'ada@example.com', phoneE164: '+13035550101' });
  expect(() => personOf({ ...contact, phone: '555-0101' })).toThrow(leadMessages.fields.phone.invalid);
});

test.each([
  [' Ada+news@Example.com ', 'ada@example.com'],
  ['ada@example.com', 'ada@example.com'],
  ['+ada@example.com', '+ada@example.com'],
  ['ada@exa+mple', 'ada@exa+mple'],
])('the mailbox of %j is %j', (typed, mailbox) => {
  expect(mailboxOf(typed)).toBe(mailbox);
});

test('the locks of persons are the same in every version and end with the transaction', async () => {
  await using database = await testDb();
  const held = () => database.sql<{ lock: string }[]>`
    select ((classid::bigint << 32) | objid::bigint)::text as lock from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
    order by 1`;
  const person = { emailNorm: 'kit@example.com', phoneE164: '+13035550101' };
  await database.db.transaction(async (tx) => {
    await lockPersons(tx, [person, person]);
    expect((await held()).map(({ lock }) => lock)).toEqual(['-8504173568884778783', '-85053025054882669']);
  });
  expect(await held()).toHaveLength(0);
});
