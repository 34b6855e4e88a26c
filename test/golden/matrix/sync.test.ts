import { expect, test } from 'vitest';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileSource } from '#server/features/sync/files/fileSource.ts';
import { insertRun, tidyRuns } from '#server/features/sync/runRecords.ts';
import { runSync } from '#server/features/sync/runSync.ts';
import { runScheduledSync } from '#server/features/sync/wordpressRun.ts';
import { getToken } from '#test/support/staff.ts';
import { feedRecord, sendAs, wordpressFeed } from '#scripts/demo/wordpressFeed.ts';
import { meets } from '#test/support/meets.ts';
import { goldenFile, openMatrix } from './matrixApp.ts';

test('sync runs from WordPress', async () => {
  meets('P3.provider.03');
  await using feed = await wordpressFeed([1, 2, 3, 4, 5, 6].map((id) => feedRecord(id)));
  await using at = await openMatrix({ env: { WORDPRESS_URL: feed.url } });
  const script = await getToken(at.app, ['sync:run']);
  const run = (query = '') => at.rest('POST', `/api/sync${query}`, undefined, script);
  await at.addLead(1);
  await at.record('a dry run', () => run('?kind=full&dryRun=1'));
  await at.record('the first run', () => run());
  await at.record('the same again', () => run('?kind=full'));
  feed.records = [feedRecord(1, { title: { rendered: 'Renamed' } }), ...feed.records.slice(1)];
  await at.record('one has another name, by staff', () => at.call('sync.run', { kind: 'full' }));
  feed.records = feed.records.slice(0, 5);
  await at.record('a dry run when one is gone', () => run('?kind=full&dryRun=1'));
  await at.record('one is gone', () => run('?kind=full'));
  await at.record('by the schedule', () => runScheduledSync(at.app.services, 'incremental'));
  feed.records = feed.records.slice(0, 1);
  await at.record('too many are gone: refused', () => run('?kind=full'));
  await at.record('too many are gone: forced', () => run('?kind=full&force=1'));
  feed.records = [1, 2, 6].map((id) => feedRecord(id));
  await at.record('two are back', () => run('?kind=full'));
  const records = feed.records;
  feed.records = [];
  await at.record('nothing at all: refused', () => run('?kind=full'));
  feed.records = records;
  feed.instead = (_request, response) => sendAs(response, 403, { code: 'forbidden' });
  await at.record('the source refuses: failed', () => run('?kind=full'));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('sync-wordpress'));
});

test('sync runs without a source, from a file, and interrupted', async () => {
  await using at = await openMatrix();
  await at.addProvider();
  await at.record('no source is configured', () => at.call('sync.run', { kind: 'full' }));
  const folder = await mkdtemp(join(tmpdir(), 'matrix-'));
  const path = join(folder, 'providers.json');
  const rows = [1, 2].map((id) => ({
    wordpress_id: id,
    name: `Row ${id}`,
    email: `row-${id}@example.com`,
    zip_code: '80202',
  }));
  const { services } = at.app;
  const fromFile = async (kind: 'full' | 'rows', force = false) => {
    const order = { dryRun: false, force, startedBy: 'npm run sync-providers' };
    const { success } = await runSync(services, { ...order, source: createFileSource(path, 'json'), kind });
    return success;
  };
  await writeFile(path, JSON.stringify(rows));
  await at.record('rows of a file', () => fromFile('rows'));
  await writeFile(path, JSON.stringify(rows.slice(1)));
  await at.record('a file that leaves one out', () => fromFile('rows'));
  await at.record('a complete file that leaves one out', () => fromFile('full', true));
  await rm(folder, { recursive: true });
  await at.record('a file that is missing', () => fromFile('rows').catch(() => 'failed'));
  await insertRun(services.db, { source: 'file', kind: 'rows', startedBy: 'Test' });
  await at.record('a run whose process ended is tidied', () => tidyRuns(services.db, services.now()));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('sync-file'));
});
