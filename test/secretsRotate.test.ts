import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { rotateSecrets } from '#scripts/secretsRotate.ts';
import { createDataKeys } from '#server/security/dataKeys.ts';
import { openKey, sealKey } from '#server/features/providers/sealedKey.ts';
import { makeSecret, sealSecret, listSecrets } from '#server/features/webhooks/endpointSecret.ts';
import { draftFactor } from '#server/features/auth/totp.ts';
import { readWithdrawal, signWithdrawal } from '#server/features/mail/linkTokens.ts';
import { providers, secondFactors, webhookEndpoints } from '#server/db/schema/index.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertAccount } from '#test/support/staff.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';

const [old, fresh, foreign] = [
  'rotate-test-old-key-rotate-test-01',
  'rotate-test-new-key-rotate-test-02',
  'rotate-test-other-key-rotate-test-3',
];
const later = new Date('2099-01-01T00:00:00Z');

/** A value of each kind that is sealed, under one key. */
async function sealUnder(database: TestDb, key: string) {
  const { db } = database;
  const identity = await createDataKeys({ db, secretKeys: [key] }).current('identity');
  const provider = await insertProvider(db);
  await db.update(providers).set({ mpxapi: sealKey([key], provider.id, 'the CRM key') });
  const id = crypto.randomUUID();
  const [secret, previous] = [makeSecret(), makeSecret()];
  await db.insert(webhookEndpoints).values({
    id,
    url: 'https://receiver.example/hook',
    types: [],
    createdBy: 'Robin Staff',
    secret: sealSecret([key], id, secret),
    previousSecret: sealSecret([key], id, previous),
    previousUntil: later,
  });
  const account = await insertAccount(database, 'viewer');
  const { sealed } = draftFactor([key], account);
  await db
    .insert(secondFactors)
    .values({ id: account.id, sealedSecret: sealed, lastStep: 1, recoverySha256: [] });
  return { identity, providerId: provider.id, secrets: [secret, previous] };
}

/** What the key opens of it. */
async function openedBy({ db }: TestDb, key: string): Promise<unknown> {
  const [provider] = await db.select().from(providers);
  const [endpoint] = await db.select().from(webhookEndpoints);
  if (provider === undefined || endpoint === undefined) throw new Error('nothing is sealed');
  return {
    identity: await createDataKeys({ db, secretKeys: [key] }).find('identity-1'),
    mpxapi: openKey([key], provider.id, provider.mpxapi ?? ''),
    secrets: listSecrets([key], endpoint, new Date()),
  };
}

/** Every value in the database that looks sealed. */
async function sealedValues({ sql }: TestDb): Promise<string[]> {
  const columns = await sql<{ place: string; column: string }[]>`
    select format('%I', table_name) as place, format('%I', column_name) as column from information_schema.columns
    where table_schema = 'public' and data_type = 'text'`;
  const found: string[] = [];
  for (const { place, column } of columns) {
    const rows = await sql.unsafe<{ value: string }[]>(
      `select ${column} as value from ${place} where ${column} like 'v1.%'`,
    );
    found.push(...rows.map(({ value }) => value));
  }
  return found;
}

test('a rotation reseals values with the new key, and old links remain valid', async () => {
  await using database = await testDb();
  const { identity, secrets } = await sealUnder(database, old);
  const before = await sealedValues(database);
  expect(before).toHaveLength(5);
  const publicId = crypto.randomUUID();
  const link = { token: signWithdrawal([old], publicId) };

  const counts = (await rotateSecrets(database.db, [fresh, old])).map(({ name, current, resealed }) => {
    return [name, current, resealed];
  });
  expect(counts).toEqual([
    ['data_keys.sealed_key', 0, 1],
    ['providers.mpxapi', 0, 1],
    ['staff_second_factors.sealed_secret', 0, 1],
    ['webhook_endpoints.secret', 0, 1],
    ['webhook_endpoints.previous_secret', 0, 1],
  ]);
  expect(await openedBy(database, fresh)).toEqual({ identity, mpxapi: 'the CRM key', secrets });
  expect(await openedBy(database, old)).toEqual({ identity: null, mpxapi: null, secrets: [] });
  // A new kind of sealed value must be added to the command.
  const after = await sealedValues(database);
  expect(after.filter((value) => before.includes(value))).toEqual([]);
  expect(readWithdrawal([fresh, old], link)).toMatchObject({ publicId });
  expect(readWithdrawal([fresh], link)).toBeNull();

  const again = await rotateSecrets(database.db, [fresh]);
  expect(again.map(({ current, resealed }) => [current, resealed])).toEqual([
    [1, 0],
    [1, 0],
    [1, 0],
    [1, 0],
    [1, 0],
  ]);
  expect(await sealedValues(database)).toEqual(after);
});

test('a rotation reseals more rows than one batch', async () => {
  await using database = await testDb();
  const { db, sql } = database;
  const ids = Array.from({ length: 401 }, () => crypto.randomUUID());
  await db.insert(webhookEndpoints).values(
    ids.map((id) => ({
      ...{ id, url: 'https://receiver.example/hook', types: [], createdBy: 'Robin Staff' },
      secret: sealSecret([old], id, makeSecret()),
    })),
  );
  const rotated = await rotateSecrets(db, [fresh, old]);
  expect(rotated).toContainEqual(
    expect.objectContaining({ name: 'webhook_endpoints.secret', resealed: 401, current: 0 }),
  );
  expect(await sql`select 1 from webhook_endpoints`).toHaveLength(401);
});

test('a value that a server writes during the rotation is kept', async () => {
  await using database = await testDb();
  const { sql } = database;
  const { providerId } = await sealUnder(database, old);
  const byServer = sealKey([fresh], providerId, 'a newer CRM key');
  const rotating = await sql.begin(async (tx) => {
    await tx`update providers set mpxapi = ${byServer} where id = ${providerId}`;
    // Its update waits for this transaction.
    const running = rotateSecrets(database.db, [fresh, old]);
    await expect
      .poll(
        () =>
          sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%json_to_recordset%'`,
      )
      .toHaveLength(1);
    return { running };
  });
  expect(await rotating.running).toContainEqual(
    expect.objectContaining({ name: 'providers.mpxapi', resealed: 0, changed: 1 }),
  );
  const [row] = await sql`select mpxapi from providers`;
  expect(row).toEqual({ mpxapi: byServer });
});

test('npm run secrets:rotate names and keeps rows that no key opens, and fails', async () => {
  await using database = await testDb();
  const { providerId } = await sealUnder(database, foreign);
  const before = await sealedValues(database);
  const rotate = promisify(execFile)(process.execPath, ['scripts/secretsRotate.ts'], {
    env: { ...process.env, DATABASE_URL: database.url, SECRET_KEYS: `${fresh},${old}` },
  });
  await expect(rotate).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`providers.mpxapi: none of SECRET_KEYS opens the rows ${providerId}.`),
    stdout: expect.stringContaining('data_keys.sealed_key: 0 sealed again, 0 already under the first key.'),
  });
  expect(await sealedValues(database)).toEqual(before);
});
