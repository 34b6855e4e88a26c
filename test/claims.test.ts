import { expect, test, vi } from 'vitest';
import { runClaims } from '#scripts/claims.ts';
import { prepareDatabase } from '#server/startup/prepareDatabase.ts';
import type { Claim } from '#shared/claims/claim.ts';
import { insertAccount } from './support/staff.ts';
import { testDb, type TestDb } from './support/testDb.ts';
import { twoRoles } from './support/twoRoles.ts';

function claim(id: string, text: string, rest: Partial<Claim> = {}): Claim {
  return {
    id,
    text,
    substantiation: null,
    approvedBy: null,
    approvedAt: null,
    study: null,
    madeOn: 'everySite',
    says: [],
    words: [],
    ...rest,
  };
}

const approval = { approvedBy: 'Counsel', approvedAt: '2026-11-01' };
const bare = claim('average', '23% average increase.');
const approved = claim('recommended', 'Recommended.', approval);
const proven = claim('study', 'There was a study.', { substantiation: 'doi:10.1000/182' });
const settled = claim('training', 'One day.', { substantiation: 'The schedule', ...approval });
const all = [bare, approved, proven, settled];

/** What the command prints, or the sentence that it ends with. */
async function run({ url }: { url: string }, args: string[], claims = all): Promise<string[]> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    await runClaims({ url, claims }, args);
    return log.mock.calls.map(([line]) => String(line));
  } catch (error) {
    return [`Error: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`];
  } finally {
    log.mockRestore();
  }
}

function accept(database: { url: string }, args: string[], claims = all): Promise<string[]> {
  return run(
    database,
    ['accept', ...args, '--name', 'Dana Owner', '--reason', 'Counsel reviewed it.'],
    claims,
  );
}

const today = (): string => new Date().toISOString().slice(0, 10);

const acceptedRows = ({ sql }: TestDb) =>
  sql`select claim_id, claim_text, accepted_by, account_id::int, reason from claim_acceptances order by accepted_at, claim_id`;

const auditRows = ({ sql }: TestDb) =>
  sql`select actor_kind, actor_name, action, subject_kind, subject_id, detail from audit_log order by subject_id`;

test('an accepted claim has one row and one audit entry, also if it is accepted twice', async () => {
  await using database = await testDb();
  expect(await accept(database, ['--claim', 'average'])).toEqual([
    `Accepted by Dana Owner on ${today()}: average (“23% average increase.”)`,
  ]);
  const again = ['accept', '--claim', 'average', '--name', 'Kit Owner', '--reason', 'Again.'];
  expect(await run(database, again)).toEqual([
    `Accepted before, by Dana Owner on ${today()}: average (“23% average increase.”)`,
  ]);
  const acceptance = { reason: 'Counsel reviewed it.' };
  expect([...(await acceptedRows(database))]).toEqual([
    {
      claim_id: 'average',
      claim_text: '23% average increase.',
      accepted_by: 'Dana Owner',
      account_id: null,
      ...acceptance,
    },
  ]);
  expect([...(await auditRows(database))]).toEqual([
    {
      actor_kind: 'command',
      actor_name: 'npm run claims',
      action: 'claim.accept',
      subject_kind: 'claim',
      subject_id: 'average',
      detail: {
        text: '23% average increase.',
        acceptedBy: 'Dana Owner',
        accountId: null,
        ...acceptance,
      },
    },
  ]);
});

test('all claims without a proof or approval are accepted at once, each with its entry', async () => {
  await using database = await testDb();
  await accept(database, ['--claim', 'average']);
  expect(await accept(database, ['--all'])).toEqual([
    `Accepted by Dana Owner on ${today()}: recommended (“Recommended.”)`,
    `Accepted by Dana Owner on ${today()}: study (“There was a study.”)`,
  ]);
  expect((await auditRows(database)).map((row) => row['subject_id'])).toEqual([
    'average',
    'recommended',
    'study',
  ]);
  expect(await accept(database, ['--all'])).toEqual(['No claim needs to be accepted.']);
  expect(await accept(database, ['--claim', 'training'])).toEqual([
    'Needs no acceptance: training names its proof and who approved it.',
  ]);
  expect(await run(database, ['list'])).toEqual([
    `The claim average (“23% average increase.”) names no proof, and nobody has approved it. Accepted by Dana Owner on ${today()}: Counsel reviewed it.`,
    `The claim recommended (“Recommended.”) names no proof. Accepted by Dana Owner on ${today()}: Counsel reviewed it.`,
    `The claim study (“There was a study.”) hasn't been approved by anybody. Accepted by Dana Owner on ${today()}: Counsel reviewed it.`,
    'The claim training (“One day.”) names its proof and who approved it.',
    'Claims: 4. To accept: 0.',
  ]);
});

test('a changed text needs a new acceptance, and the former text keeps its own', async () => {
  await using database = await testDb();
  await accept(database, ['--all']);
  const changed = [{ ...bare, text: '32% average increase.' }, approved, proven, settled];
  expect((await run(database, ['list'], changed)).at(-1)).toBe('Claims: 4. To accept: 1.');
  expect(await accept(database, ['--all'], changed)).toEqual([
    `Accepted by Dana Owner on ${today()}: average (“32% average increase.”)`,
  ]);
  expect((await run(database, ['list'])).at(-1)).toBe('Claims: 4. To accept: 0.');
});

test('wrong arguments, unknown claims and anybody but an owner record nothing', async () => {
  await using database = await testDb();
  const reason = ['--reason', 'Counsel reviewed it.'];
  const owner = ['--name', 'Dana Owner'];
  const bothUnknown = ['--claim', 'average', '--claim', 'nothing', ...owner, ...reason];
  for (const [args, sentence] of [
    [bothUnknown, 'There is no claim nothing. npm run claims -- list shows all.'],
    [['--all', ...owner, '--reason', ' \n '], '--reason: Say why, in at least 3 characters.'],
    [['--all', ...owner], '--reason: Say why, in at least 3 characters.'],
    [['--all', ...owner, '--reason', 'Ask kit@brand.example'], '--reason: Leave out email addresses.'],
    [['--all', ...reason], '--name: say which owner accepts.'],
    [['--all', '--name', '  ', ...reason], '--name: say which owner accepts.'],
    [['--all', '--name', 'kit@brand.example', ...reason], 'Give a name, not an email address.'],
    [['--all', '--name', 'System', ...reason], 'This name is reserved'],
    [[...owner, ...reason], 'Give either --claim or --all.'],
    [['--all', '--claim', 'average', ...owner, ...reason], 'Give either --claim or --all.'],
  ] as const)
    expect(await run(database, ['accept', ...args])).toEqual([`Error: ${sentence}`]);
  expect(await acceptedRows(database)).toHaveLength(0);
  expect(await auditRows(database)).toHaveLength(0);
});

test('where owners have accounts, only one of them accepts, by name or email address', async () => {
  await using database = await testDb();
  const manager = await insertAccount(database, 'manager');
  const by = (name: string, id: string): Promise<string[]> =>
    run(database, ['accept', '--claim', id, '--name', name, '--reason', 'Counsel reviewed it.']);
  expect(await by(manager.email, 'average')).toEqual(["Error: Test manager isn't an owner."]);
  expect(await by('test  MANAGER', 'average')).toEqual(["Error: Test manager isn't an owner."]);
  const owner = await insertAccount(database, 'owner');
  expect(await by('Somebody Else', 'average')).toEqual([
    'Error: No account of an owner has this name or email address.',
  ]);
  expect(await by(' test owner ', 'average')).toHaveLength(1);
  expect(await by(owner.email.toUpperCase(), 'study')).toHaveLength(1);
  const accepted = { accepted_by: 'Test owner', account_id: owner.id };
  expect([...(await acceptedRows(database))]).toMatchObject([
    { claim_id: 'average', ...accepted },
    { claim_id: 'study', ...accepted },
  ]);
});

test('acceptances are only added to, for every writer', async () => {
  await using roles = await twoRoles();
  const { database } = roles;
  await prepareDatabase({ url: roles.appUrl, ownerUrl: roles.ownerUrl });
  expect(await accept({ url: roles.appUrl }, ['--claim', 'average'])).toHaveLength(1);
  for (const change of [
    "update claim_acceptances set reason = 'Another.'",
    'delete from claim_acceptances',
    'truncate claim_acceptances',
  ])
    await expect(database.sql.unsafe(change)).rejects.toThrow('claim_acceptances is append-only');
  expect(await acceptedRows(database)).toHaveLength(1);
});
