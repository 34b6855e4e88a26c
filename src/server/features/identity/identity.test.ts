import { sql } from 'drizzle-orm';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalizedEmail } from '#shared/leads/emailAddress.ts';
import { leadMessages } from '#shared/brand/leadMessages.ts';
import { testDb } from '#test/support/testDb.ts';
import { getIdentity, isNamedIn, lockPersons, mayBeTypedIn, mailboxSql, makePerson } from './identity.ts';
import { furtherNumbers, phoneWithout } from './leadContact.ts';
import { getMailbox, recipientGroups } from './mailbox.ts';

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
  expect(getIdentity(typed)).toMatchObject({ emailNorm, phoneE164 });
});

test('a submission without a phone number that can be called is refused', () => {
  const contact = { email: 'Ada@example.com', phone: '(303) 555-0101' };
  expect(makePerson(contact)).toMatchObject({ emailNorm: 'ada@example.com', phoneE164: '+13035550101' });
  expect(() => makePerson({ ...contact, phone: '555-0101' })).toThrow(leadMessages.fields.phone.invalid);
});

test.each([
  [' Ada+news@Example.com ', 'ada@example.com'],
  ['ada@example.com', 'ada@example.com'],
  ['+ada@example.com', '+ada@example.com'],
  ['ada@exa+mple', 'ada@exa+mple'],
  ['ada+a+b+c@example.com', 'ada@example.com'],
  ['+ada+news@example.com', '+ada@example.com'],
  ['++@example.com', '++@example.com'],
  ['ada=news@example.com', 'ada@example.com'],
  ['ＡＤＡ＋ｎｅｗｓ＠example.com', 'ada@example.com'],
  ['ada﹢news@example.com', 'ada@example.com'],
  ['ada+news@Bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@example.com.', 'ada@example.com'],
  ['a.d.a+news@gmail.com', 'ada@gmail.com'],
  ['A.Da@GoogleMail.com', 'ada@gmail.com'],
  ['ada.@ｇmail.com', 'ada@gmail.com'],
  ['...@gmail.com', '...@gmail.com'],
  ['ada-news@yahoo.com', 'ada@yahoo.com'],
  ['ada-a+b=c@yahoo.co.uk', 'ada@yahoo.co.uk'],
  ['ada-news@ymail.com', 'ada@ymail.com'],
  // Other services tell people apart by these.
  ['ada-news@gmail.com', 'ada-news@gmail.com'],
  ['ada.l@yahoo.com', 'ada.l@yahoo.com'],
  ['ada-news@yahoo.co.jp', 'ada-news@yahoo.co.jp'],
  ['ada-news@notyahoo.com', 'ada-news@notyahoo.com'],
  ['a.da-news@fastmail.com', 'a.da-news@fastmail.com'],
  ['a.da@mail.gmail.com', 'a.da@mail.gmail.com'],
  ['a.da@gmail.com.example', 'a.da@gmail.com.example'],
  ['ada_news@outlook.com', 'ada_news@outlook.com'],
  // No addresses: they stay as they are.
  ['"ada+news"@example.com', '"ada@example.com'],
  ['ada(news)@example.com', 'ada(news)@example.com'],
  ['', ''],
  ['@gmail.com', '@gmail.com'],
])('the mailbox of %j is %j', (typed, mailbox) => {
  expect(getMailbox(typed)).toBe(mailbox);
});

test('the mailbox in SQL equals the one in TypeScript for any normalized address', async () => {
  await using database = await testDb();
  const piece = fc.constantFrom(
    ...['+', '=', '-', '.', '_', '@', 'a', 'bo', 'é', '"', ' ', '\n', '(', 'x'],
    ...['gmail.com', 'googlemail.com', 'yahoo.com', 'yahoo.co.jp', 'yahoo.de', 'ymail.com', 'mail.example'],
  );
  const local = fc.array(piece, { maxLength: 7 }).map((pieces) => pieces.join(''));
  const domain = fc.constantFrom(
    'gmail.com',
    'googlemail.com',
    'yahoo.com',
    'yahoo.com.mx',
    'yahoo.co.jp',
    'x.example',
    '',
  );
  const addresses = fc.sample(
    fc.tuple(local, domain).map((parts) => parts.join('@')),
    { numRuns: 3_000, seed: 7 },
  );
  const normalized = addresses.map((address) => normalizedEmail(address.trim()));
  const rows = await database.db.execute<{ email: string; mailbox: string }>(
    sql`select email, ${mailboxSql(sql`email`)} as mailbox from json_array_elements_text(${JSON.stringify(normalized)}::text::json) as email`,
  );
  expect(rows).toHaveLength(3_000);
  let different = 0;
  for (const { email, mailbox } of rows) {
    expect({ email, mailbox }).toEqual({ email, mailbox: getMailbox(email) });
    different += mailbox === email ? 0 : 1;
  }
  expect(different).toBeGreaterThan(500);
});

test('addresses with the same first letters, or one owner’s domain, are a group', () => {
  const prefixes = ['b.omb', 'bomb', 'bomb-1', 'bomb_news', '7bomb', 'BOMB%x', 'bomb~é'];
  const groups = prefixes.map((local) => recipientGroups(`${local}@proton.me`));
  for (const group of groups)
    expect(group).toEqual({ prefix: 'bomb@proton.me', domain: 'proton.me', isShared: true });
  expect(recipientGroups('1234@gmail.com').prefix).toBe('1234@gmail.com');
  expect(recipientGroups('bombay@proton.me').prefix).toBe('bombay@proton.me');
  for (const domain of ['victim.example', 'a.victim.example', 'b.a.victim.example'])
    expect(recipientGroups(`x@${domain}`)).toMatchObject({ domain: 'victim.example', isShared: false });
  expect(recipientGroups('x@a.victim.co.uk').domain).toBe('victim.co.uk');
  expect(recipientGroups('x@a.abc.io').domain).toBe('abc.io');
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

test.each([
  '720-555-7301, 303, 555, 7001',
  '720-555-7301 call 303 then 555 then 7001',
  '720-555-7301 +303 +555 +7001',
])('a further number that is cut in pieces is found and left out: %s', (typed) => {
  expect(furtherNumbers(typed)).toEqual(['+13035557001']);
  expect(phoneWithout(typed, ['+13035557001'])).toBe('720-555-7301');
  expect(phoneWithout(typed, ['+17205550199'])).toBe(typed);
});

const ann = { emailNorm: "ann.o'neil@xn--bcher-kva.example", phoneE164: '+17205550142' };
const bob = { emailNorm: 'bob@example.com', phoneE164: '+442079460958' };

test.each([
  ['Write to Ann.O’Neil@Bücher.example.', ann],
  ["My address is 'ann.o'neil@xn--bcher-kva.example'!", ann],
  ['Nobody called me:\nＢＯＢ＠ｅｘａｍｐｌｅ．ｃｏｍ', bob],
  ['mailto:Bob@Example.com?subject=Hi', bob],
  ['Bob <bob@example.com>, or email=bob@example.com/home', bob],
  ['bob@example.com’s request', bob],
  ['Ask bob@example.com...', bob],
  ['bo\u200bb@example.com', bob],
  ['Request 4711, call (720) 555-0142 ext. 5', ann],
  ['Call 720.555.0142/303.555.0177', ann],
  ['٧٢٠ ٥٥٥ ٠١٤٢', ann],
  ['17205550142', ann],
  ['+44 (0)20 7946 0958', bob],
])('the text %j names its person', async (text, person) => {
  await using database = await testDb();
  expect(isNamedIn(text, person)).toBe(true);
  const [row] = await database.db.execute(sql`select ${mayBeTypedIn(sql`${text}::text`, person)} as may`);
  expect(row).toEqual({ may: true });
});

test.each([
  ['jobob@example.com', bob],
  ['the.bob@example.com', bob],
  ['kit+bob@example.com', bob],
  ["o'bob@example.com", bob],
  ['bob@example.com.mx', bob],
  ['bob@example.company', bob],
  ['bob@example.com-pany.example', bob],
  ['bob at example.com', bob],
  ['97205550142', ann],
  ['172055501421', ann],
  ['+49 7205550142', ann],
  ['Order 17205550142998877', ann],
  ['', { emailNorm: '', phoneE164: '' }],
])('the text %j names somebody else', (text, person) => {
  expect(isNamedIn(text, person)).toBe(false);
});
