import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSyncArguments } from '#scripts/syncProviders.ts';
import { createFileSource, detectFormat } from '#server/features/sync/files/fileSource.ts';
import { collect } from '#test/support/collect.ts';
import { runCommand as run } from '#test/support/command.ts';
import { meets } from '#test/support/meets.ts';
import { setUpSync } from '#test/support/syncSetup.ts';
import { feedRecord } from '#scripts/demo/wordpressFeed.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sync-files-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function getFile(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const csv = [
  '\ufeff"wordpress_id","name","practiceName","email","zipCode","status","address"',
  '"1","Clinic ""One""","Practice, Ltd","one@example.com","80202","Active","1 Street\r\nDenver"',
  '"2","Clinic Two","","two@example.com","02134","Inactive",""',
  '"3","No mail","","","80202","Active",""',
  '',
].join('\r\n');

test.each([
  ['clinics.csv', csv],
  [
    'clinics.json',
    JSON.stringify([
      {
        wordpress_id: 1,
        name: 'Clinic "One"',
        practice_name: 'Practice, Ltd',
        email: 'one@example.com',
        zip_code: '80202',
        address: '1 Street Denver',
      },
      { wordpress_id: 2, name: 'Clinic Two', email: 'two@example.com', zip_code: '02134', status: 'f' },
      { wordpress_id: 3, name: 'No mail', zip_code: '80202' },
    ]),
  ],
  [
    'clinics.ndjson',
    '{"wordpress_id":1,"name":"Clinic \\"One\\"","practice_name":"Practice, Ltd","email":"one@example.com","zip_code":"80202","address":"1 Street Denver"}\r\n\n' +
      '{"wordpress_id":2,"name":"Clinic Two","email":"two@example.com","zip_code":"02134","status":"inactive"}\n{"wordpress_id":3,"name":"No mail","zip_code":"80202"}',
  ],
])('%s is read, and fields that it lacks are kept', async (name, content) => {
  meets('D.sync.03 D.sync.04 D.sync.19');
  await using setup = await setUpSync();
  await setup.runFrom(
    createFileSource(await getFile('before.json', JSON.stringify([feedRecord(9)])), 'json'),
    { kind: 'rows' },
  );
  const path = await getFile(name, content);
  const outcome = await setup.runFrom(createFileSource(path, detectFormat(path) ?? 'json'), { kind: 'rows' });
  expect(outcome).toMatchObject({
    success: true,
    run: { source: 'file', kind: 'rows', created: 2, skipped: 1, deactivated: 0 },
  });
  expect(await setup.providers()).toMatchObject([
    {
      wordpressId: 1,
      name: 'Clinic "One"',
      practiceName: 'Practice, Ltd',
      address: '1 Street Denver',
      status: 't',
    },
    { wordpressId: 2, zipCode: '02134', status: 'f', practiceName: null },
    { wordpressId: 9, status: 't' },
  ]);
});

test('a complete file deactivates the other providers, within the guard', async () => {
  await using setup = await setUpSync();
  const records = [1, 2, 3, 4, 5].map((id) => feedRecord(id));
  const of = async (count: number) =>
    createFileSource(await getFile(`${count}.json`, JSON.stringify(records.slice(0, count))), 'json');
  await setup.runFrom(await of(5), { kind: 'full' });
  expect(await setup.runFrom(await of(4), { kind: 'full' })).toMatchObject({
    success: true,
    run: { deactivated: 1 },
  });
  expect(await setup.runFrom(await of(1), { kind: 'full' })).toMatchObject({
    success: false,
    run: { outcome: 'refused' },
  });
  expect(await setup.runFrom(await of(0), { kind: 'full' })).toMatchObject({
    success: false,
    run: { outcome: 'refused' },
  });
});

const whole = JSON.stringify(feedRecord(1));

describe('a file with any error is refused', () => {
  test.each([
    ['cut.json', `[${whole},${whole.slice(0, 50)}`, 'The file is incomplete.'],
    ['cut.ndjson', `${whole}\n${whole.slice(0, 50)}`, 'Line 2 is not valid JSON.'],
    ['quote.csv', 'wordpress_id,"name\n1,A', 'Line 1 has a quotation mark that isn’t closed'],
    ['columns.csv', 'wordpress_id,Fone\n1,A\n', 'The file has columns with unknown names: “Fone”.'],
    ['object.json', `{"providers":[${whole}]}`, 'The file is not a list of providers.'],
  ])('%s', async (name, content, message) => {
    await using setup = await setUpSync();
    const path = await getFile(name, content);
    expect(
      await setup.runFrom(createFileSource(path, detectFormat(path) ?? 'json'), { kind: 'rows' }),
    ).toMatchObject({
      success: false,
      error: expect.stringContaining(message),
      run: { outcome: 'failed' },
    });
    expect(await setup.providers()).toEqual([]);
  });

  test('a missing file', async () => {
    await using setup = await setUpSync();
    const source = createFileSource(join(folder, 'nowhere.csv'), 'csv');
    expect(await setup.runFrom(source)).toMatchObject({
      success: false,
      error: 'nowhere.csv could not be opened.',
    });
  });

  test('a truncated response', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-length': 1_000 });
      response.write(`[${whole.slice(0, 50)}`, () => response.destroy());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/export.json`;
    const cut = collect(createFileSource(url, 'json').pages());
    await expect(cut).rejects.toThrow('export.json could not be read completely.');
    server.close();
    await once(server, 'close');
    const none = collect(createFileSource(url, 'json').pages());
    await expect(none).rejects.toThrow('export.json could not be opened.');
  });

  test('a line that is too long', async () => {
    const path = await getFile('endless.ndjson', 'x'.repeat(40 * 1024 * 1024));
    await expect(collect(createFileSource(path, 'ndjson').pages())).rejects.toThrow(
      'Line 1 is larger than 32 MiB.',
    );
  });
});

test('npm run sync-providers reads WordPress, a file or a URL and reports skips', async () => {
  meets('D.names.58');
  await using setup = await setUpSync([feedRecord(1), feedRecord(2, { acf: { zip_code: '1010' } })]);
  const env = { DATABASE_URL: setup.database.url, WORDPRESS_URL: setup.feed.url };
  expect(await run('syncProviders', ['--full', '--dry-run'], env)).toEqual({
    status: 0,
    output: expect.stringMatching(/created +1 +Clinic 1\nWould be 2 read, 1 created, .* 1 skipped\.\n$/),
  });
  expect(await setup.providers()).toEqual([]);
  const done = await run('syncProviders', [], env);
  expect(done).toMatchObject({
    status: 0,
    output: expect.stringContaining('“1010” isn’t a five-digit US ZIP code.'),
  });
  const server = createServer((_, response) => response.end(JSON.stringify([feedRecord(3), feedRecord(4)])));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  expect(
    await run('syncProviders', ['--url', `http://127.0.0.1:${port}/export.json?key=1`], env),
  ).toMatchObject({ status: 0 });
  server.close();
  expect((await setup.providers()).map(({ wordpressId }) => wordpressId)).toEqual([1, 3, 4]);
  const empty = await getFile('empty.json', '[]');
  expect(await run('syncProviders', ['--file', empty, '--complete'], env)).toEqual({
    status: 1,
    output: 'No providers were returned. Nothing was changed.\n',
  });
  expect(await run('syncProviders', ['--file', empty, '--complete', '--force'], env)).toMatchObject({
    status: 0,
  });
  expect((await setup.providers()).map(({ status }) => status)).toEqual(['f', 'f', 'f']);
  const log = await setup.database.sql`select actor_kind, actor_name, action from audit_log`;
  expect(new Set(log.map((line) => Object.values(line).join(' ')))).toEqual(
    new Set(['sync.run', 'provider.change'].map((action) => `command npm run sync-providers ${action}`)),
  );
});

test('a database error is printed without the providers’ data', async () => {
  await using setup = await setUpSync([feedRecord(1)]);
  const { sql, url } = setup.database;
  await sql`alter table providers drop column logo_url cascade`;
  await sql`alter table providers add column logo_url integer`;
  const failed = await run('syncProviders', [], { DATABASE_URL: url, WORDPRESS_URL: setup.feed.url });
  expect(failed).toMatchObject({ status: 1, output: expect.stringContaining('insert into sync_incoming') });
  expect(failed.output).not.toContain('clinic-1@example.com');
});

test.each([
  [['--file', 'a.json', '--url', 'http://a/b.json'], 'Use --file or --url, not both.'],
  [['--complete'], '--complete is for a file'],
  [['--file', 'a.json', '--full'], '--full is for WordPress'],
  [['--url', 'ftp://a/b.json'], 'ftp://a/b.json is not an http(s) address.'],
  [['--every'], "Unknown option '--every'"],
])('npm run sync-providers -- %j prints an error', (args, sentence) => {
  expect(() => readSyncArguments(args)).toThrow(sentence);
});

test('a file with an unknown extension is refused', () => {
  expect(['a.xlsx', 'a', 'json', 'https://a/b?c=d.json'].map(detectFormat)).toEqual([null, null, null, null]);
  expect(['a.txt', 'b.TSV', 'c.csv'].map(detectFormat)).toEqual(['csv', 'csv', 'csv']);
  expect(['a.JSON', 'b.jsonl', 'https://a/b.csv?c=d'].map(detectFormat)).toEqual(['json', 'ndjson', 'csv']);
});
