import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mail as copy } from '#shared/brand/mail.ts';
import { providers } from '#server/db/schema/index.ts';
import { mailAlerts } from '../alerts/mailAlerts.ts';
import { getIdentity } from '../identity/identity.ts';
import { storeUnreachable } from '../mail/unreachableAddresses.ts';
import { insertSuppressions } from '../suppression/suppressions.ts';
import { createFileSource } from '../sync/files/fileSource.ts';
import { runSync } from '../sync/runSync.ts';
import { markAddress } from '../unreachable/addressMarks.ts';
import { mailServer, type MailServer } from '#scripts/demo/mailServer.ts';
import { insertAccount, signedIn, getToken } from '#test/support/staff.ts';
import { type TestApp, testApp } from '#test/support/testApp.ts';
import { feedRecord, wordpressFeed } from '#scripts/demo/wordpressFeed.ts';
import { mailFormerAddresses, purgeAddressNotices } from './mailFormerAddresses.ts';

const flat = (id: number, own: object = {}) => ({
  wordpress_id: id,
  name: `Clinic ${id}`,
  email: `old-${id}@clinic.example`,
  zip_code: '80202',
  ...own,
});
const rows = (count: number, own: (id: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, index) => flat(index + 1, own(index + 1)));
const moved = (id: number) => ({ email: `new-${id}@clinic.example` });

interface Given extends AsyncDisposable {
  app: TestApp;
  server: MailServer;
  push: (given: readonly object[]) => Promise<void>;
  /** Sends what is due. */
  inform: () => Promise<number>;
  informed: () => string[];
}

async function setUp(
  env: Record<string, string> = {},
  options: Parameters<typeof mailServer>[0] = {},
): Promise<Given> {
  const server = await mailServer(options);
  const smtp = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'We <us@main.example>' };
  const app = await testApp({ env: { ...smtp, ...env } });
  const token = await getToken(app, ['providers:write']);
  return {
    app,
    server,
    push: async (given) => {
      const { status } = await app.post('/api/providers/sync', { providers: given }, token);
      expect(status).toBe(200);
    },
    inform: () => mailFormerAddresses(app.services),
    informed: () => server.received.flatMap(({ to }) => to).toSorted(),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const listAlerts = ({ app }: Given) =>
  app.sql<{ message: string }[]>`select message from alerts where kind = 'provider-emails-changed'`;
const getWaiting = ({ app }: Given) => app.sql`select 1 from address_notices where address is not null`;

describe('the former address of a provider gets a message that it changed', () => {
  /** Sends what is due, twice, and returns the one message. */
  async function message({ inform, server, app }: Given): Promise<object> {
    const sent = [await inform(), await inform()];
    const email = await server.received[0]?.email;
    expect(JSON.stringify(email)).not.toContain('new');
    const waiting = await app.sql`select 1 from address_notices where address is not null`;
    const to = server.received.flatMap((received) => received.to);
    return {
      sent,
      to,
      subject: email?.subject,
      text: email?.text?.trim().replace(/[A-Z][a-z]+ \d+, \d{4} at [\d:]+ [AP]M Mountain/, '<when>'),
      waiting: waiting.length,
    };
  }
  function expected({ app }: Given, practice: string, former: string): object {
    const { subject, text } = copy.addressChanged;
    const words = text(practice, '<when>', app.services.config.contacts.email);
    return { sent: [1, 0], to: [former], subject, text: words, waiting: 0 };
  }

  test('by a push, once, without the new address', async () => {
    await using given = await setUp();
    await given.push(rows(2, () => ({ practice_name: 'First & Second' })));
    await given.push([flat(1, { ...moved(1), practice_name: 'First & Second' }), flat(2)]);
    expect(await message(given)).toEqual(expected(given, 'First & Second', 'old-1@clinic.example'));
  });

  test('by a file', async () => {
    await using given = await setUp();
    await given.push(rows(2));
    const file = join(await mkdtemp(join(tmpdir(), 'address-notices-')), 'clinics.csv');
    await writeFile(file, 'wordpress_id,email\n1,new@clinic.example\n2,OLD-2@clinic.example\n');
    const source = createFileSource(file, 'csv');
    const order = { source, kind: 'rows', dryRun: false, force: false, startedBy: 'Test' } as const;
    expect(await runSync(given.app.services, { ...order, dryRun: true })).toMatchObject({ success: true });
    expect(await given.inform()).toBe(0);
    expect(await runSync(given.app.services, order)).toMatchObject({ success: true });
    expect(await message(given)).toEqual(expected(given, 'Clinic 1', 'old-1@clinic.example'));
  });

  test('by a sync that staff start in the dashboard', async () => {
    await using feed = await wordpressFeed([feedRecord(1), feedRecord(2)]);
    await using given = await setUp({ WORDPRESS_URL: feed.url });
    const staff = await signedIn(given.app, 'manager');
    await given.app.post('/trpc/sync.run', {}, staff);
    const [before] = await given.app.db.select().from(providers).orderBy(providers.wordpressId);
    feed.records = [feedRecord(1, { acf: { email: 'new@clinic.example' } }), feedRecord(2)];
    await given.app.post('/trpc/sync.run', { kind: 'full' }, staff);
    const practice = before?.practiceName ?? before?.name ?? '';
    expect(await message(given)).toEqual(expected(given, practice, before?.email ?? ''));
  });
});

test('an address that refuses the mail for its provider gets none', async () => {
  await using given = await setUp();
  const { db, now } = given.app.services;
  await given.push(rows(2));
  const refusal = { cause: 'bounce', code: '5.1.1', reason: 'Unknown.', now: now() } as const;
  await markAddress(db, { address: 'old-1@clinic.example', ...refusal });
  await given.push(rows(2, moved));
  expect(await given.inform()).toBe(1);
  expect(given.informed()).toEqual(['old-2@clinic.example']);
  expect(await getWaiting(given)).toHaveLength(0);
});

test('no bounce, complaint or withdrawal that a form can cause silences the message', async () => {
  await using given = await setUp();
  const { db, dataKeys, now } = given.app.services;
  await given.push(rows(5));
  const { key: identityKey } = await dataKeys.current('identity');
  const [bounced, tagged] = ['old-1@clinic.example', 'old-2+zz9@clinic.example'];
  for (const address of [bounced, tagged])
    await storeUnreachable(db, { address, cause: 'bounce', identityKey, now: now() });
  const listed = [
    getIdentity({ email: 'old-3@clinic.example' }),
    getIdentity({ email: 'old-4+a@clinic.example' }),
  ];
  for (const { emailNorm } of listed)
    await insertSuppressions(db, { identityKey, person: { emailNorm } }, { reason: 'withdrawn', by: 'Test' });
  const refusal = { cause: 'complaint', code: null, reason: 'Spam.', now: now() } as const;
  await markAddress(db, { address: 'old-5@clinic.example', ...refusal });
  await given.push(rows(5, moved));
  expect(await given.inform()).toBe(5);
  expect(given.informed()).toEqual(rows(5).map(({ email }) => email));
});

test('a push that is stopped or fails informs nobody', async () => {
  await using given = await setUp();
  const { app } = given;
  await given.push(rows(3));
  const all = rows(3, (id) => ({ ...moved(id), status: 'f' }));
  const token = await getToken(app, ['providers:write']);
  const push = async () => (await app.post('/api/providers/sync?force=1', { providers: all }, token)).status;
  await app.sql`alter table audit_log add constraint fails check (action <> 'provider.change') not valid`;
  expect(await push()).toBe(500);
  expect(await app.sql`select 1 from address_notices`).toHaveLength(0);
  await app.sql`alter table audit_log drop constraint fails`;
  expect((await app.post('/api/providers/sync', { providers: all }, token)).status).toBe(409);
  expect(await app.sql`select 1 from address_notices`).toHaveLength(0);
  expect(await push()).toBe(200);
  expect(await given.inform()).toBe(3);
});

test('a message waits while it is refused for now, and ends once refused for good', async () => {
  let code = 451;
  const refuses = () =>
    Object.assign(new Error(code === 550 ? '5.1.1 unknown' : 'later'), { responseCode: code });
  await using given = await setUp(
    {},
    {
      onRcptTo: (_address, _session, callback) => (code === 250 ? callback() : callback(refuses())),
    },
  );
  const { sql } = given.app;
  const hourLater = () =>
    sql`update address_notices set next_attempt_at = next_attempt_at - interval '1 hour'`;
  await given.push(rows(2));
  await given.push([flat(1, moved(1))]);
  expect([await given.inform(), (await getWaiting(given)).length]).toEqual([0, 1]);
  code = 250;
  expect(await given.inform()).toBe(0);
  await hourLater();
  expect(await given.inform()).toBe(1);
  await given.push([flat(2, moved(2))]);
  code = 550;
  expect([await given.inform(), (await getWaiting(given)).length]).toEqual([0, 0]);
});

test('two processes inform an address once', async () => {
  await using given = await setUp();
  await given.push(rows(5));
  await given.push(rows(5, moved));
  expect((await Promise.all([given.inform(), given.inform()])).reduce((sum, sent) => sum + sent)).toBe(5);
  expect(given.informed()).toEqual([1, 2, 3, 4, 5].map((id) => `old-${id}@clinic.example`));
});

test('ten changes in an hour are ten messages, eleven are one digest to owners instead', async () => {
  await using given = await setUp();
  const { app } = given;
  const { email: owner } = await insertAccount(app, 'owner');
  await given.push(rows(21));
  await given.push(rows(10, moved));
  expect([await given.inform(), (await listAlerts(given)).length]).toEqual([10, 0]);
  // Another hour.
  await app.sql`update address_notices set changed_at = changed_at - interval '1 hour'`;
  const again = (id: number) => (id > 10 ? moved(id) : {});
  await given.push(rows(21, again).slice(10));
  expect([await given.inform(), (await getWaiting(given)).length]).toEqual([0, 0]);
  expect(await mailAlerts(app.services)).toBe(1);
  expect(given.informed()).toEqual([...rows(10).map(({ email }) => email), owner].toSorted());
  const [alert, ...others] = await listAlerts(given);
  expect(others).toEqual([]);
  expect(alert?.message).toContain('of 11 providers changed within an hour');
  expect(alert?.message).toContain('Clinic 11, Clinic 12');
  expect(alert?.message).toMatch(/Clinic 20, and 1 more\. /);
  expect(alert?.message).not.toContain('@');
});

test('a later hour with many changes is news for owners again', async () => {
  await using given = await setUp();
  const { app } = given;
  await given.push(rows(11));
  const unmailed = async () =>
    (await app.sql`select 1 from alerts where kind = 'provider-emails-changed' and mailed_at is null`).length;
  await given.push(rows(11, moved));
  await app.sql`update alerts set mailed_at = now()`;
  await given.push([flat(1)]);
  expect(await unmailed()).toBe(0);
  await app.sql`update address_notices set changed_at = changed_at - interval '1 hour'`;
  await given.push(rows(11, (id) => ({ email: `third-${id}@clinic.example` })));
  expect(await unmailed()).toBe(1);
});

test('what is older than a week is removed, and nothing else', async () => {
  await using given = await setUp();
  const { app } = given;
  await given.push(rows(2));
  await given.push(rows(2, moved));
  await app.sql`update address_notices set changed_at = now() - interval '8 days' where address = 'old-1@clinic.example'`;
  expect(await purgeAddressNotices(app.db, new Date())).toBe(1);
  expect(await app.sql`select address from address_notices`).toEqual([{ address: 'old-2@clinic.example' }]);
});
