import { expect, test } from 'vitest';
import { connect } from '#server/db/connect.ts';
import type { ApiTokenRow } from '#server/db/schema/index.ts';
import { endToken, makeToken } from '#server/features/auth/tokens.ts';
import { outcome } from '#shared/brand/outcome.ts';
import { erasePerson } from '#server/features/erasure/erasePerson.ts';
import { linkEnd, signOutcome, signWithdrawal } from '#server/features/mail/linkTokens.ts';
import { isSuppressed } from '#server/features/suppression/suppressions.ts';
import { prepareDatabase } from '#server/startup/prepareDatabase.ts';
import {
  backupFolder,
  type BackupFolder,
  storeManyLeads,
  type StoredLead,
} from '#test/support/backupSetup.ts';
import { commandEnvironment, runCommand } from '#test/support/command.ts';
import { tracesIn } from '#test/support/erasureSetup.ts';
import { pressLink } from '#test/support/linkForm.ts';
import { skipWithoutPostgres15, postgres15Folder, startPostgres15 } from '#test/support/postgres15.ts';
import { testActor } from '#test/support/staffActions.ts';
import { testApp } from '#test/support/testApp.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { testSecret } from '#test/support/testKeys.ts';

const leadCount = 1_000;

/** The path of the link in a message about a lead. */
function getLink({ publicId }: StoredLead): string {
  return `/withdraw/${signWithdrawal([testSecret], publicId)}`;
}

function leadAt(leads: readonly StoredLead[], at: number): StoredLead {
  const lead = leads[at];
  if (lead === undefined) throw new Error('too few leads');
  return lead;
}

interface Drill {
  /** Prepared and empty of leads. Destroyed by `lose`. */
  source: TestDb;
  lose: () => PromiseLike<void>;
  /** Has no tables. */
  target: TestDb;
  method: 'copy' | 'pg_dump';
  path?: string;
}

/** What every drill ends with. */
function survival(method: Drill['method']) {
  return {
    backup: {
      status: 0,
      output: expect.stringMatching(new RegExp(`^Backed up as of .* with ${method}. Tables: `)),
    },
    withdrawn: 303,
    restore: {
      status: 0,
      output: expect.stringContaining(
        'ledger since the backup: 2. Repeated: erasures 1 (leads 1), suppressions 1, lifts 0. In the database already: 0.',
      ),
    },
    evidence: {
      status: 0,
      output: expect.stringContaining(`${leadCount} consent records, ${leadCount + 1} sealed`),
    },
    tracesOfErased: [],
    suppressed: { erased: true, suppressed: true, other: false },
    withdrawal: { how: 'page', ip: null },
    oldLink: 303,
    otherAfterLink: true,
    nextIdAfterLost: 100_001,
    isTokenRevoked: true,
    isLostLinkHonest: true,
  };
}

/** 1,000 leads, a backup, an erasure, a suppression, the loss of the database, a restore. */
async function drill({ source, lose, target, method, path = '' }: Drill) {
  await using folder = await backupFolder();
  const env = {
    SECRET_KEYS: testSecret,
    LEDGER_URL: folder.ledgerUrl,
    PATH: `${path}${commandEnvironment['PATH'] ?? ''}`,
  };
  const leads = await storeManyLeads(source, leadCount);
  const [erased, suppressed, other] = [leadAt(leads, 10), leadAt(leads, 20), leadAt(leads, 30)];
  const ofSource = { ...env, DATABASE_URL: source.url };
  const by = { actor: testActor, ip: null, now: new Date() };
  const { row: token } = await makeToken(source.db, by, { name: 'nightly', scopes: ['leads:read'] });
  const backup = await runCommand('backup', [folder.backup, '--method', method], ofSource);
  const { withdrawn, lost } = await changeAfterBackup(source, { folder, erased, suppressed, token });
  await lose();

  const ofTarget = { ...env, DATABASE_URL: target.url };
  const restore = await runCommand('restore', [folder.backup], ofTarget);
  const evidence = await runCommand('consentVerify', [], ofTarget);
  const tracesOfErased = await tracesIn(target, [erased.email, erased.phone]);
  await using app = await testApp({ database: target });
  const isListed = ({ email, phone }: StoredLead): Promise<boolean> =>
    isSuppressed(app.services, { emailNorm: email, phoneE164: phone });
  const listed = {
    erased: await isListed(erased),
    suppressed: await isListed(suppressed),
    other: await isListed(other),
  };
  const [withdrawal] = await app.sql`
    select how, ip from consent_withdrawals where lead_id = ${suppressed.id}`;
  // A link in a message that was sent before the backup.
  const { status: oldLink } = await pressLink(app, getLink(other));
  const otherAfterLink = await isListed(other);
  // A provider's link of a lead that was lost with the database.
  const said = {
    publicId: lost.publicId,
    providerId: 1,
    outcome: 'booked',
    endsAt: linkEnd(new Date()),
  } as const;
  const { text: lostLink } = await app.get(`/outcome/${signOutcome([testSecret], said)}`);
  const [revoked] = await app.sql`select 1 from api_tokens where id = ${token.id} and revoked_at is not null`;
  const stored = await storeManyLeads(target, 1);
  const nextIdAfterLost = (stored.at(-1)?.id ?? 0) - lost.id;
  return {
    ...{ backup, withdrawn, restore, evidence, tracesOfErased, suppressed: listed, withdrawal },
    ...{ oldLink, otherAfterLink, nextIdAfterLost },
    ...{ isTokenRevoked: revoked !== undefined, isLostLinkHonest: lostLink.includes(outcome.restored.title) },
  };
}

interface Changes {
  folder: BackupFolder;
  erased: StoredLead;
  suppressed: StoredLead;
  token: ApiTokenRow;
}

/**
 * Stores a lead, erases another, withdraws a third by its link, revokes a token, and waits until a worker has shipped
 * and noted it all.
 */
async function changeAfterBackup(
  source: TestDb,
  { folder, erased, suppressed, token }: Changes,
): Promise<{ withdrawn: number; lost: StoredLead }> {
  const lost = leadAt(await storeManyLeads(source, 1), leadCount);
  await using app = await testApp({ database: source, worker: true, env: { LEDGER_URL: folder.ledgerUrl } });
  const { services } = app;
  await erasePerson({ services, actor: testActor, ip: null }, { leadId: erased.id, reason: 'asked' });
  const { status } = await pressLink(app, getLink(suppressed));
  await endToken(source.db, { actor: testActor, ip: null, now: new Date() }, token.id);
  await expect.poll(folder.entries).toBe(2);
  const unnoted = () => source.sql`select 1 from access_changes where noted_at is null`;
  await expect.poll(unnoted).toHaveLength(0);
  return { withdrawn: status, lost };
}

test('erasures and suppressions survive the loss of a database and a restore', async () => {
  const source = await testDb();
  await using target = await testDb({ isEmpty: true });
  const lose = () => source[Symbol.asyncDispose]();
  expect(await drill({ source, lose, target, method: 'copy' })).toEqual(survival('copy'));
});

test.skipIf(skipWithoutPostgres15())('they survive it with pg_dump and pg_restore', async () => {
  await using server = await startPostgres15();
  const admin = connect(server.url, { applicationName: 'test', max: 1 });
  const open = async (name: string): Promise<TestDb> => {
    await admin.sql`create database ${admin.sql(name)}`;
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    const { close, ...connection } = connect(url.href, { applicationName: 'test', max: 4 });
    return { ...connection, url: url.href, [Symbol.asyncDispose]: close };
  };
  const source = await open('source');
  await prepareDatabase({ url: source.url, ownerUrl: null });
  await using target = await open('target');
  const lose = async (): Promise<void> => {
    await source[Symbol.asyncDispose]();
    await admin.sql`drop database source with (force)`;
    await admin.close();
  };
  const path = `${postgres15Folder}:`;
  expect(await drill({ source, lose, target, method: 'pg_dump', path })).toEqual(survival('pg_dump'));
});
