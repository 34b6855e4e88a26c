import { expect, test } from 'vitest';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { signedIn } from '#test/support/staff.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';
import { feedRecord, wordpressFeed } from '#scripts/demo/wordpressFeed.ts';

/** The value of a sample in a scrape; 0 if it is not there. */
async function readSample(app: TestApp, sample: string): Promise<number> {
  const { text } = await app.get('/metrics');
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
  return Number(line?.split(' ').at(-1) ?? 0);
}

/** By how much samples grow while the work runs. The counters are those of the whole process. */
async function growth(
  app: TestApp,
  names: readonly string[],
  work: () => Promise<unknown>,
): Promise<number[]> {
  const before = await Promise.all(names.map((name) => readSample(app, name)));
  await work();
  const after = await Promise.all(names.map((name) => readSample(app, name)));
  return after.map((value, index) => value - (before[index] ?? 0));
}

test('leads are counted by how they were matched, quarantined or refused', async () => {
  await using app = await testApp();
  const provider = await insertProvider(app.db, { zipCode: '80202' });
  await app.knows(provider);
  const names = [
    'leads_stored_total',
    'leads_matched_total{method="nearest"}',
    'leads_matched_total{method="tenant"}',
    'leads_quarantined_total{reason="honeypot"}',
    'leads_refused_total{reason="UNPROCESSABLE_CONTENT"}',
  ];
  const statuses: number[] = [];
  const grown = await growth(app, names, async () => {
    const near = leadInput({ zip_code: '80202' });
    statuses.push((await app.post('/api/leads', near)).status);
    // The same submission again is not another lead.
    statuses.push((await app.post('/api/leads', near)).status);
    statuses.push((await app.as(provider).post('/api/leads', leadInput({ website: 'x' }))).status);
    statuses.push((await app.post('/api/leads', leadInput({ email: 'none' }))).status);
  });
  expect(statuses).toEqual([201, 201, 201, 422]);
  expect(grown).toEqual([2, 1, 1, 1, 1]);
});

test('syncs are counted by outcome, without dry runs', async () => {
  await using feed = await wordpressFeed([]);
  await using app = await testApp({ env: { WORDPRESS_URL: feed.url } });
  const owner = { ...(await signedIn(app, 'owner')), 'content-type': 'application/json' };
  const names = ['refused', 'done', 'failed'].map(
    (outcome) => `sync_runs_total{source="wordpress",kind="full",outcome="${outcome}"}`,
  );
  const grown = await growth(app, names, async () => {
    await app.post('/api/sync', { kind: 'full' }, owner);
    feed.records = [feedRecord(1)];
    await app.post('/api/sync', { kind: 'full', dryRun: true }, owner);
    await app.post('/api/sync', { kind: 'full' }, owner);
  });
  expect(grown).toEqual([1, 1, 0]);
});

test('pages are counted by source, and a page that is in memory as stored', async () => {
  await using app = await testApp();
  const stored = 'page_cache_requests_total{source="stored"}';
  const template = 'page_cache_requests_total{source="template"}';
  expect(await growth(app, [template], () => app.get('/'))).toEqual([1]);
  await expect.poll(async () => (await growth(app, [stored], () => app.get('/')))[0]).toBe(1);
});
