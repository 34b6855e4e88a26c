import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFileSource } from '#server/features/sync/files/fileSource.ts';
import { runSync } from '#server/features/sync/runSync.ts';
import { pushOutput } from '#shared/admin/sync.ts';
import { staffRoles } from '#shared/admin/staff.ts';
import { insertProvider } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { signedIn, getToken } from '#test/support/staff.ts';
import { type Answer, type TestApp, testApp } from '#test/support/testApp.ts';
import { feedRecord, wordpressFeed } from '#scripts/demo/wordpressFeed.ts';

const path = '/api/providers/sync';

const flat = (id: number, own: object = {}) => ({
  wordpress_id: id,
  name: `Clinic ${id}`,
  email: `clinic-${id}@example.com`,
  zip_code: '80202',
  domain: `clinic-${id}.example`,
  ...own,
});
const rows = (from: number, to: number, own: object = {}) =>
  Array.from({ length: to - from + 1 }, (_, index) => flat(from + index, own));

interface Network {
  app: TestApp;
  push: (providers: readonly object[], query?: string) => Promise<Answer>;
}

/** A network of clinics that a script pushed. */
async function getNetwork(app: TestApp, count: number): Promise<Network> {
  const headers = await getToken(app, ['providers:write']);
  const push = (providers: readonly object[], query = '') =>
    app.post(`${path}${query}`, { providers }, headers);
  expect((await push(rows(1, count))).status).toBe(200);
  return { app, push };
}

const stored = (app: TestApp) =>
  app.sql`select wordpress_id::int as id, email, domain, status from providers order by wordpress_id`;
const countActive = async (app: TestApp) =>
  (await app.sql`select 1 from providers where status = 't'`).length;
const toResults = (answer: Answer) => pushOutput.parse(answer.json()).results;
const getError = (answer: Answer): unknown => Reflect.get(Object(answer.json()), 'error');

test('a staff session of any role can’t push providers, and nothing changes', async () => {
  meets('D.sync.05');
  await using app = await testApp();
  await getNetwork(app, 3);
  const before = await stored(app);
  const own = { email: 'mallory@attacker.example', domain: '', status: 'f' };
  for (const role of staffRoles) {
    const headers = await signedIn(app, role);
    const byRest = await app.post(path, { providers: rows(1, 3, own) }, headers);
    const byTrpc = await app.post('/trpc/sync.push', { providers: rows(1, 3, own) }, headers);
    expect([role, byRest.status, getError(byRest), byTrpc.status]).toEqual([
      role,
      403,
      'Only an API token with the scope providers:write may do this, not a staff session.',
      403,
    ]);
  }
  expect(await stored(app)).toEqual(before);
});

describe('a push that would lose too many providers changes nothing', () => {
  test('with all deactivated, and it is listed as refused', async () => {
    await using app = await testApp();
    const { push } = await getNetwork(app, 60);
    const answer = await push(rows(1, 60, { status: 'f' }));
    const sentence =
      'It would deactivate 60 of 60 providers, more than 20%. Nothing was changed. Pushes of one hour count together. To push all the same, add ?force=true.';
    expect([answer.status, getError(answer)]).toEqual([409, sentence]);
    expect(await countActive(app)).toBe(60);
    const [run] =
      await app.sql`select source, outcome, read, message from sync_runs order by id desc limit 1`;
    expect(run).toEqual({ source: 'api', outcome: 'refused', read: 60, message: sentence });
  });

  test('with more than a fifth in several pushes of an hour, but not with a fifth', async () => {
    await using app = await testApp();
    const { push } = await getNetwork(app, 10);
    const ends = async (id: number) => (await push([flat(id, { status: 'f' })])).status;
    expect([await ends(1), await ends(2), await ends(3)]).toEqual([200, 200, 409]);
    expect(await countActive(app)).toBe(8);
    // One that came back doesn't count, and a push that takes nothing away isn't stopped.
    expect((await push([flat(1), flat(11)])).status).toBe(200);
    expect(await ends(3)).toBe(200);
    expect(await ends(4)).toBe(409);
  });

  test('with the domains of more than a fifth removed', async () => {
    await using app = await testApp();
    const { push } = await getNetwork(app, 10);
    const without = rows(1, 3, { domain: '' });
    const refused = await push(without);
    expect([refused.status, getError(refused)]).toEqual([
      409,
      expect.stringContaining('It would remove the domain of 3 of the 10 providers that have one'),
    ]);
    expect((await push(without.slice(0, 2))).status).toBe(200);
    expect((await push(without.slice(2))).status).toBe(409);
    expect(await app.sql`select 1 from providers where domain is null`).toHaveLength(2);
  });

  test('unless it is forced, and a script may always end one clinic', async () => {
    await using app = await testApp();
    const { push } = await getNetwork(app, 3);
    expect((await push([flat(1, { status: 'f' })])).status).toBe(200);
    expect((await push([flat(2, { status: 'f' }), flat(3, { status: 'f' })])).status).toBe(409);
    expect((await push([flat(2, { status: 'f' })], '?force=perhaps')).status).toBe(422);
    const forced = await push([flat(2, { status: 'f' }), flat(3, { status: 'f' })], '?force=true');
    expect(pushOutput.parse(forced.json()).results).toHaveLength(2);
    expect(await countActive(app)).toBe(0);
    const [run] = await app.sql`select forced from sync_runs where outcome = 'done' order by id desc limit 1`;
    expect(run).toEqual({ forced: true });
    const [entry] = await app.sql`
      select detail from audit_log where action = 'providers.push' order by id desc limit 1`;
    expect(entry).toEqual({ detail: { rows: 2, changed: 2, force: true } });
  });
});

describe('the audit log has each provider whose email, domain or status changed', () => {
  const entries = (app: TestApp) =>
    app.sql`select actor_kind as kind, actor_name as actor, p.wordpress_id::int as id, detail
      from audit_log a join providers p on p.id = a.subject_id::bigint
      where action = 'provider.change' and subject_kind = 'provider' order by a.id`;

  test('by a push, with masked addresses, and no others', async () => {
    await using app = await testApp();
    const { push } = await getNetwork(app, 6);
    await insertProvider(app.db, { name: 'Only here' });
    const by = { kind: 'token', actor: 'Test script' };
    await push([
      flat(1, { email: 'mallory@attacker.example' }),
      flat(2, { status: 'f' }),
      flat(3, { name: 'Renamed', phone: '303-555-0142' }),
      flat(4, { domain: '' }),
      flat(5),
      flat(7),
    ]);
    expect(await entries(app)).toEqual([
      {
        ...by,
        id: 1,
        detail: { source: 'api', email: { from: 'c…1@e…e.com', to: 'm…y@a…r.example' } },
      },
      { ...by, id: 2, detail: { source: 'api', status: { from: 'active', to: 'inactive' } } },
      { ...by, id: 4, detail: { source: 'api', domain: { from: 'clinic-4.example', to: null } } },
    ]);
    const [leaked] = await app.sql`select 1 from audit_log where detail::text like '%attacker%'`;
    expect(leaked).toBeUndefined();
  });

  test('by a file and by a sync that staff start', async () => {
    await using feed = await wordpressFeed([feedRecord(1), feedRecord(2)]);
    await using app = await testApp({ env: { WORDPRESS_URL: feed.url } });
    const owner = await signedIn(app, 'owner');
    await app.post('/trpc/sync.run', {}, owner);
    feed.records = [feedRecord(1, { acf: { email: 'new@clinic.example' } }), feedRecord(2)];
    await app.post('/trpc/sync.run', { kind: 'full' }, owner);
    const file = join(await mkdtemp(join(tmpdir(), 'push-limits-')), 'clinics.csv');
    await writeFile(file, 'wordpress_id,status\n2,closed\n');
    const source = createFileSource(file, 'csv');
    const order = {
      source,
      kind: 'rows',
      dryRun: false,
      force: true,
      startedBy: 'npm run sync-providers',
    } as const;
    expect(await runSync(app.services, order)).toMatchObject({ success: true });
    expect(await entries(app)).toEqual([
      {
        kind: 'staff',
        actor: 'Test owner',
        id: 1,
        detail: { source: 'wordpress', email: { from: expect.stringContaining('…'), to: 'n…@c…c.example' } },
      },
      {
        kind: 'command',
        actor: 'npm run sync-providers',
        id: 2,
        detail: { source: 'file', status: { from: 'active', to: 'inactive' } },
      },
    ]);
  });

  test('when two exchange their domains, or one takes that of a closed one', async () => {
    await using app = await testApp();
    const { push } = await getNetwork(app, 6);
    const domains = async () =>
      (await entries(app)).map(({ id, detail }) => [id, Reflect.get(Object(detail), 'domain')]);
    const [one, two, three] = ['clinic-1.example', 'clinic-2.example', 'clinic-3.example'];
    await push([flat(1, { domain: two }), flat(2, { domain: one })]);
    await push([flat(3, { domain: '' }), flat(4, { domain: three })]);
    expect(await domains()).toEqual([
      [1, { from: one, to: two }],
      [2, { from: two, to: one }],
      [3, { from: three, to: null }],
      [4, { from: 'clinic-4.example', to: three }],
    ]);
  });
});

test('a push of millions of faulty lines is refused after as many as a push may have', async () => {
  await using app = await testApp();
  const headers = { ...(await getToken(app, ['providers:write'])), 'content-type': 'application/x-ndjson' };
  const push = (body: string) => app.post(path, body, headers);
  // Reading each of them takes more than a minute.
  for (const body of ['{\n'.repeat(4_000_000), '\n'.repeat(4_000_000) + '{\n'.repeat(1_001)]) {
    const refused = await push(body);
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Send at most 1,000')]);
  }
  const results = toResults(await push(`${'{\n'.repeat(999)}  ${JSON.stringify(flat(1))}`));
  expect([results.length, results.at(-1)?.result]).toEqual([1_000, 'created']);
});

test('a push that is nested too deeply or has too many objects is refused unread', async () => {
  await using app = await testApp();
  const headers = await getToken(app, ['providers:write']);
  const push = (body: string, type = 'application/json') =>
    app.post(path, body, { ...headers, 'content-type': type });
  const deep = '['.repeat(2_000_000);
  const many = `[${'{},'.repeat(2_000_000)}{}]`;
  for (const body of [deep, many, `{"a":"\\"","b":${deep}`]) {
    const refused = await push(body);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('nested too deeply')]);
  }
  const brackets = JSON.stringify(flat(1, { notes: '["{\\'.repeat(100_000) }));
  const lines = await push(`${deep}\n${brackets}`, 'application/x-ndjson');
  expect(toResults(lines).map(({ result }) => result)).toEqual(['skipped', 'created']);
  expect(toResults(await push(`[${brackets}]`)).map(({ result }) => result)).toEqual(['unchanged']);
});
