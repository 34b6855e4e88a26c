import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  syncRun,
  type SyncRun,
  syncRunDetail,
  syncRunOutcome,
  pushOutput,
  type PushResult,
} from '#shared/admin/sync.ts';
import { insertProvider } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { signedIn, getToken } from '#test/support/staff.ts';
import { type Answer, type TestApp, testApp } from '#test/support/testApp.ts';
import { testDb } from '#test/support/testDb.ts';
import { feedRecord, sendAs, wordpressFeed, feedRecords } from '#scripts/demo/wordpressFeed.ts';

const flat = (id: number, own: object = {}) => ({
  wordpress_id: id,
  name: `Clinic ${id}`,
  email: `clinic-${id}@example.com`,
  zip_code: '80202',
  ...own,
});

const toResults = (answer: Answer): PushResult[] => pushOutput.parse(answer.json()).results;
const trpcResult = ({ json }: Answer): unknown => (json() as { result: { data: unknown } }).result.data;

async function query(
  app: TestApp,
  path: string,
  input: object,
  headers: Record<string, string>,
): Promise<unknown> {
  return trpcResult(
    await app.get(`/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`, headers),
  );
}

async function lastRuns(app: TestApp, headers: Record<string, string>): Promise<SyncRun[]> {
  return z.object({ runs: z.array(syncRun) }).parse(await query(app, 'sync.lastRuns', {}, headers)).runs;
}

test('POST /api/sync runs, returns the run and is audited', async () => {
  meets('P7.call.27 D.errors.17');
  await using feed = await wordpressFeed(feedRecords(3));
  await using app = await testApp({ env: { WORDPRESS_URL: feed.url } });
  const headers = await getToken(app, ['sync:run']);
  const dry = syncRunOutcome.parse(
    (await app.request('POST', '/api/sync?dryRun=1&kind=full', { headers })).json(),
  );
  expect(dry).toMatchObject({ success: true, run: { dryRun: true, kind: 'full', created: 3 } });
  const answer = await app.post('/api/sync', { force: true }, headers);
  expect([answer.status, answer.json()]).toMatchObject([
    200,
    { success: true, run: { forced: true, created: 3 } },
  ]);
  const viewer = await signedIn(app, 'viewer');
  const [last] = await lastRuns(app, viewer);
  expect(last).toMatchObject({ outcome: 'done', created: 3, startedBy: 'Test script' });
  const detail = syncRunDetail.parse(await query(app, 'sync.runDetail', { id: last?.id }, viewer));
  expect(detail.rows.map(({ change, wordpressId }) => [change, wordpressId])).toEqual([
    ['created', 1],
    ['created', 2],
    ['created', 3],
  ]);
  const log = await app.sql`select action, subject_kind, subject_id, detail from audit_log order by id`;
  expect([...log].slice(-2)).toEqual([
    {
      action: 'sync.run',
      subject_kind: 'sync',
      subject_id: String((last?.id ?? 0) - 1),
      detail: { success: true, dryRun: true },
    },
    {
      action: 'sync.run',
      subject_kind: 'sync',
      subject_id: String(last?.id),
      detail: { success: true, force: true },
    },
  ]);
});

test('a failure of WordPress is a 200 with success false, an invalid order a 422', async () => {
  meets('P7.call.28 D.errors.18');
  await using feed = await wordpressFeed(feedRecords(3));
  await using app = await testApp({ env: { WORDPRESS_URL: feed.url } });
  const headers = await getToken(app, ['sync:run']);
  feed.instead = (_, response) => sendAs(response, 403, {});
  const answer = await app.post('/api/sync', {}, headers);
  expect([answer.status, answer.json()]).toMatchObject([
    200,
    { success: false, error: 'Page 1 was refused (HTTP 403).', run: { outcome: 'failed' } },
  ]);
  for (const path of ['/api/sync?kind=half', '/api/sync?dryRun=perhaps'])
    expect([path, (await app.request('POST', path, { headers })).status]).toEqual([path, 422]);
  expect((await app.post('/api/sync', { kind: 'rows' }, headers)).status).toBe(422);
  expect((await app.post('/api/sync', '{', headers)).status).toBe(400);
});

test('a push returns the result of each row, in order', async () => {
  meets('D.sync.05 D.sync.06 D.sync.20');
  await using app = await testApp();
  const headers = await getToken(app, ['providers:write']);
  const push = async (rows: unknown[]): Promise<PushResult[]> =>
    toResults(await app.post('/api/providers/sync', { providers: rows }, headers));
  const local = await insertProvider(app.db, { name: 'Local', domain: 'taken.example' });
  await push([flat(1), flat(2)]);
  const results = await push([
    flat(2, { phone: '303-555-0142' }),
    flat(3),
    flat(1),
    flat(4, { email: 'none' }),
    flat(3, { name: 'Again' }),
    flat(5, { domain: 'taken.example' }),
    'text',
    { name: 'No number' },
    feedRecord(6),
  ]);
  expect(results.map(({ wordpress_id, result, reason }) => [wordpress_id, result, reason])).toEqual([
    [2, 'updated', null],
    [3, 'created', null],
    [1, 'unchanged', null],
    [4, 'skipped', 'Its email address isn’t valid.'],
    [3, 'skipped', 'Its WordPress ID appears earlier in the same data. The first one is used.'],
    [5, 'created', null],
    [null, 'skipped', 'It isn’t a JSON object.'],
    [null, 'skipped', 'It has no WordPress ID.'],
    [6, 'created', null],
  ]);
  expect(
    results.flatMap(({ wordpress_id, warnings = [] }) => warnings.map((text) => [wordpress_id, text])),
  ).toEqual([[5, 'Its domain taken.example belongs to “Local”. It was left out.']]);
  const kept = await app.sql<
    { id: string; wordpress_id: string | null }[]
  >`select id, wordpress_id from providers where status = 't'`;
  for (const { wordpress_id, id, result } of results)
    expect(id).toBe(
      result === 'skipped' ? null : Number(kept.find((row) => Number(row.wordpress_id) === wordpress_id)?.id),
    );
  expect(kept.map(({ id }) => Number(id))).toContain(local.id);
  // One script's pushes are one line for staff.
  const viewer = await signedIn(app, 'viewer');
  expect(await lastRuns(app, viewer)).toMatchObject([
    { source: 'api', kind: 'rows', read: 11, created: 5, updated: 1, unchanged: 1, skipped: 4, warned: 1 },
  ]);
  const [audited] =
    await app.sql`select action, detail from audit_log where action = 'providers.push' order by id desc`;
  expect(audited).toEqual({ action: 'providers.push', detail: { rows: 9, changed: 4 } });
});

test('numbers in a pushed row are read as their texts', async () => {
  await using app = await testApp();
  const headers = await getToken(app, ['providers:write']);
  const push = async (row: unknown) =>
    toResults(await app.post('/api/providers/sync', [row], headers)).map(({ result }) => result);
  expect(await push(flat(1, { phone: 3035550142, zip_code: 2139 }))).toEqual(['created']);
  expect(await app.sql`select phone, zip_code from providers where wordpress_id = 1`).toEqual([
    { phone: '3035550142', zip_code: '02139' },
  ]);
  expect(await push(flat(1, { phone: '3035550142.0', zip_code: '02139' }))).toEqual(['unchanged']);
});

test('a domain that many share is left out with a warning, and stays where stored', async () => {
  await using app = await testApp();
  const headers = await getToken(app, ['providers:write']);
  await insertProvider(app.db, { wordpressId: 1, zipCode: '80202', domain: 'gmail.com' });
  const rows = [
    flat(1, { domain: 'gmail.com' }),
    flat(2, { domain: 'https://co.uk/' }),
    flat(3, { domain: 'own.co.uk' }),
  ];
  const results = toResults(await app.post('/api/providers/sync', { providers: rows }, headers));
  expect(results.map(({ warnings = [] }) => warnings.length)).toEqual([1, 1, 0]);
  const stored = await app.sql`select domain from providers order by wordpress_id`;
  expect(stored.map(({ domain }): unknown => domain)).toEqual(['gmail.com', null, 'own.co.uk']);
});

test('a push may be a list or one row per line; an invalid line fails by itself', async () => {
  await using app = await testApp();
  const headers = await getToken(app, ['providers:write']);
  expect(toResults(await app.post('/api/providers/sync', [flat(1)], headers))).toMatchObject([
    { result: 'created' },
  ]);
  const lines = `${JSON.stringify(flat(1))}\r\n{"wordpress_id": 2,\n\n${JSON.stringify(flat(3))}\n`;
  for (const type of ['application/x-ndjson', 'application/jsonl; charset=utf-8'])
    expect(
      toResults(await app.post('/api/providers/sync', lines, { ...headers, 'content-type': type })).map(
        ({ result }) => result,
      ),
    ).toEqual(['unchanged', 'skipped', type.includes('ndjson') ? 'created' : 'unchanged']);
});

test('a push with too many or no rows, too large or of another type is refused', async () => {
  await using app = await testApp();
  const headers = await getToken(app, ['providers:write']);
  const push = (body: unknown, type = 'application/json') =>
    app.post('/api/providers/sync', body, { ...headers, 'content-type': type });
  const rows = Array.from({ length: 1_001 }, (_, index) => flat(index + 1));
  const tooMany = await push(rows);
  expect([tooMany.status, tooMany.text]).toEqual([
    422,
    expect.stringContaining('Send at most 1,000 providers at once.'),
  ]);
  expect((await push([])).status).toBe(422);
  expect((await push({})).status).toBe(422);
  expect((await push('"text"')).status).toBe(400);
  expect((await push('[')).status).toBe(400);
  expect((await push('a=b', 'text/plain')).status).toBe(415);
  const large = await push([flat(1, { filler: 'x'.repeat(9 * 1024 * 1024) })]);
  expect([large.status, large.text]).toEqual([
    413,
    expect.stringContaining('The body must be at most 8 MiB.'),
  ]);
  // Several times the usual limit is fine here.
  expect((await push([flat(1, { filler: 'x'.repeat(7 * 1024 * 1024) })])).status).toBe(200);
  expect(await app.sql`select 1 from providers`).toHaveLength(1);
});

test('each operation requires its scope', async () => {
  meets('D.sync.05');
  await using app = await testApp();
  const status = async (path: string, scope: Parameters<typeof getToken>[1][number]) =>
    (await app.post(path, [], await getToken(app, [scope]))).status;
  expect(await status('/api/providers/sync', 'sync:run')).toBe(403);
  expect(await status('/api/providers/sync', 'providers:read')).toBe(403);
  expect(await status('/api/providers/sync', 'providers:write')).toBe(422);
  expect(await status('/api/sync', 'providers:write')).toBe(403);
});

test('the newest full run is listed, however many others came later', async () => {
  meets('D.sync.22');
  await using app = await testApp();
  await app.sql`insert into sync_runs (source, kind, started_by, started_at, finished_at, outcome, dry_run)
    select 'wordpress', kind, 'Schedule', now(), now(), outcome, dry_run from (
      values (1, 'full', 'done', false), (2, 'full', 'refused', false), (3, 'full', 'done', true)) as full_runs (number, kind, outcome, dry_run)
    order by number`;
  await app.sql`insert into sync_runs (source, kind, started_by, started_at, finished_at, outcome, dry_run)
    select 'wordpress', 'incremental', 'Schedule', now(), now(), 'done', false from generate_series(1, 30)`;
  const runs = await lastRuns(app, await signedIn(app, 'viewer'));
  expect(runs).toHaveLength(21);
  expect(runs.at(-1)).toMatchObject({ kind: 'full', outcome: 'refused', dryRun: false });
});

test('concurrent pushes and a run lose nothing', async () => {
  await using feed = await wordpressFeed(feedRecords(150));
  await using app = await testApp({ env: { WORDPRESS_URL: feed.url } });
  const headers = await getToken(app, ['providers:write', 'sync:run']);
  await app.post('/api/sync', {}, headers);
  feed.records = feedRecords(150).map((record) => ({ ...record, title: { rendered: 'Renamed' } }));
  const batch = (from: number) => Array.from({ length: 50 }, (_, index) => flat(from + index));
  const answers = await Promise.all([
    ...[1_000, 1_025, 1_050, 1_000].map((from) => app.post('/api/providers/sync', batch(from), headers)),
    app.post('/api/sync', {}, headers),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(answers.at(-1)?.json()).toMatchObject({ success: true, run: { kind: 'incremental', updated: 150 } });
  const [row] = await app.sql<{ n: number }[]>`
    select count(*)::int as n from providers where wordpress_id >= 1000 and status = 't'`;
  expect(row?.n).toBe(100);
});

test('the changes of a run appear in another process', async () => {
  await using database = await testDb();
  await using feed = await wordpressFeed(feedRecords(3));
  await using app = await testApp({ env: { WORDPRESS_URL: feed.url }, database });
  await using other = await testApp({ database });
  const headers = await getToken(app, ['sync:run']);
  await app.post('/api/sync', {}, headers);
  await other.knows('clinic-2.example.com');
  feed.records = [feedRecord(1), feedRecord(2, { acf: { domain: 'moved.example' } }), feedRecord(3)];
  await app.post('/api/sync?kind=full', {}, headers);
  await other.knows('moved.example');
  expect(other.services.tenants.hasHost('clinic-2.example.com')).toBe(false);
  expect((await other.as('moved.example').get('/')).text).toContain('Clinic 2');
  expect((await other.get('/api/domains/verify?domain=moved.example')).status).toBe(200);
});

test('staff see which providers are at the center of their ZIP; the map does not', async () => {
  await using app = await testApp();
  const headers = await getToken(app, ['providers:write']);
  await app.post(
    '/api/providers/sync',
    [flat(1), flat(2, { latitude: '39.7', longitude: '-104.9' })],
    headers,
  );
  const { providers } = (await query(app, 'admin.providers.list', {}, await signedIn(app, 'viewer'))) as {
    providers: { wordpress_id: number; isApproximate: boolean }[];
  };
  expect(providers.map(({ wordpress_id, isApproximate }) => [wordpress_id, isApproximate])).toEqual([
    [1, true],
    [2, false],
  ]);
  const [first] = (await app.get('/api/providers')).json() as { latitude: number | null }[];
  expect(first?.latitude).toBeNull();
});

test('staff confirm that a provider that waits is the one only here, or another one', async () => {
  await using app = await testApp();
  const token = await getToken(app, ['providers:write']);
  const push = (rows: unknown[]) => app.post('/api/providers/sync', { providers: rows }, token);
  const twin = { email: 'twin@example.com', zip_code: '80202' };
  const local = await insertProvider(app.db, { name: 'Local', email: twin.email, zipCode: twin.zip_code });
  const rows = [flat(1, twin), flat(2, twin), flat(3, twin)];
  expect(toResults(await push(rows)).map(({ result, warnings }) => [result, warnings?.length])).toEqual(
    rows.map(() => ['created', 1]),
  );
  const found = () =>
    app.sql<{ id: string; wordpress_id: string | null; status: string }[]>`
      select id, wordpress_id, status from providers order by id`;
  const getId = async (number: number) =>
    Number((await found()).find(({ wordpress_id }) => wordpress_id === String(number))?.id);
  const alerts = async () => (await app.sql`select 1 from alerts where kind = 'provider-unconfirmed'`).length;
  const confirm = async (number: number, isSame: boolean, role: 'manager' | 'viewer' = 'manager') =>
    (
      await app.post(
        '/trpc/admin.providers.confirm',
        { id: await getId(number), isSame },
        await signedIn(app, role),
      )
    ).status;
  expect(await alerts()).toBe(3);
  expect(await confirm(1, true, 'viewer')).toBe(403);
  // The row that waits has another address by now: the provider's leads would go there.
  await push([flat(1, { ...twin, email: 'other@example.com' })]);
  expect(await confirm(1, true)).toBe(409);
  await push([flat(1, { ...twin, email: 'Twin@example.com' })]);
  expect([await confirm(1, true), await confirm(2, false), await confirm(3, true)]).toEqual([200, 200, 409]);
  expect(await alerts()).toBe(1);
  await push([flat(1, { ...twin, name: 'From the sync' }), flat(2, twin), flat(3, twin)]);
  expect((await found()).map(({ wordpress_id, status }) => [wordpress_id, status])).toEqual([
    ['1', 't'],
    ['2', 't'],
    ['3', 'f'],
  ]);
  const [own] = await app.sql`select name from providers where id = ${local.id}`;
  expect(own).toEqual({ name: 'From the sync' });
  // Rows that don't wait can't be confirmed.
  expect(await confirm(2, true)).toBe(404);
});
