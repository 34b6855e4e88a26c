import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readSyncArguments } from '#scripts/syncProviders.ts';
import { createFileSource, formatOf } from '#server/features/sync/fileSource.ts';
import { collect } from '#test/support/collect.ts';
import { commandEnvironment, runCommand as run } from '#test/support/command.ts';
import { tokenOf } from '#test/support/staff.ts';
import { setUpSync } from '#test/support/syncSetup.ts';
import { type TestApp, testApp } from '#test/support/testApp.ts';
import { feedRecord } from '#test/support/wordpressFeed.ts';

vi.setConfig({ testTimeout: 120_000 });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sync-files-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(name: string, content: string): Promise<string> {
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
])('%s is read, and what it lacks stays', async (name, content) => {
  await using setup = await setUpSync();
  await setup.runFrom(
    createFileSource(await fileOf('before.json', JSON.stringify([feedRecord(9)])), 'json'),
    { kind: 'rows' },
  );
  const path = await fileOf(name, content);
  const outcome = await setup.runFrom(createFileSource(path, formatOf(path) ?? 'json'), { kind: 'rows' });
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

test('a file that has all there are turns the others inactive, within the guard', async () => {
  await using setup = await setUpSync();
  const records = [1, 2, 3, 4, 5].map((id) => feedRecord(id));
  const of = async (count: number) =>
    createFileSource(await fileOf(`${count}.json`, JSON.stringify(records.slice(0, count))), 'json');
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

describe('a file that is wrong anywhere is refused whole', () => {
  test.each([
    ['cut.json', `[${whole},${whole.slice(0, 50)}`, 'The file ends in the middle.'],
    ['cut.ndjson', `${whole}\n${whole.slice(0, 50)}`, 'Line 2 is not valid JSON.'],
    ['cut.csv', 'wordpress_id,name\n1,"Clinic', 'The CSV can’t be read: Quote Not Closed'],
    ['columns.csv', 'wordpress_id,name\n1,A\n2,B,C\n', 'The CSV can’t be read: Invalid Record Length'],
    ['object.json', `{"providers":[${whole}]}`, 'The file is not a list of clinics.'],
  ])('%s', async (name, content, message) => {
    await using setup = await setUpSync();
    const path = await fileOf(name, content);
    expect(
      await setup.runFrom(createFileSource(path, formatOf(path) ?? 'json'), { kind: 'rows' }),
    ).toMatchObject({
      success: false,
      error: expect.stringContaining(message),
      run: { outcome: 'failed' },
    });
    expect(await setup.providers()).toEqual([]);
  });

  test('one that isn’t there', async () => {
    await using setup = await setUpSync();
    const source = createFileSource(join(folder, 'nowhere.csv'), 'csv');
    expect(await setup.runFrom(source)).toMatchObject({
      success: false,
      error: 'nowhere.csv could not be opened.',
    });
  });

  test('one whose answer is cut off', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-length': 1_000 });
      response.write(`[${whole.slice(0, 50)}`, () => response.destroy());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/export.json`;
    const cut = collect(createFileSource(url, 'json').pages());
    await expect(cut).rejects.toThrow('export.json could not be read to its end.');
    server.close();
    await once(server, 'close');
    const none = collect(createFileSource(url, 'json').pages());
    await expect(none).rejects.toThrow('export.json could not be opened.');
  });

  test('a line without end', async () => {
    const path = await fileOf('endless.ndjson', 'x'.repeat(40 * 1024 * 1024));
    await expect(collect(createFileSource(path, 'ndjson').pages())).rejects.toThrow(
      'Line 1 is larger than 32 MiB.',
    );
  });
});

test('npm run sync-providers reads WordPress, a file or an address, and tells what was skipped', async () => {
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
    output: expect.stringContaining('“1010” is not a US ZIP code of five digits.'),
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
  const empty = await fileOf('empty.json', '[]');
  expect(await run('syncProviders', ['--file', empty, '--complete'], env)).toEqual({
    status: 1,
    output: 'There was not a single clinic. Nothing was changed.\n',
  });
  expect(await run('syncProviders', ['--file', empty, '--complete', '--force'], env)).toMatchObject({
    status: 0,
  });
  expect((await setup.providers()).map(({ status }) => status)).toEqual(['f', 'f', 'f']);
  const log = await setup.database.sql`select actor_kind, actor_name, action from audit_log`;
  expect(new Set(log.map((line) => Object.values(line).join(' ')))).toEqual(
    new Set(['command npm run sync-providers sync.run']),
  );
});

test('what the database refuses is printed without the clinics', async () => {
  await using setup = await setUpSync([feedRecord(1)]);
  const { sql, url } = setup.database;
  await sql`alter table providers drop column logo_url cascade`;
  await sql`alter table providers add column logo_url integer`;
  const failed = await run('syncProviders', [], { DATABASE_URL: url, WORDPRESS_URL: setup.feed.url });
  expect(failed).toMatchObject({ status: 1, output: expect.stringContaining('insert into sync_incoming') });
  expect(failed.output).not.toContain('clinic-1@example.com');
});

test.each([
  [['--file', 'a.json', '--url', 'http://a/b.json'], 'A file or an address, not both.'],
  [['--complete'], '--complete is for a file'],
  [['--file', 'a.json', '--full'], '--full is for WordPress'],
  [['--url', 'ftp://a/b.json'], 'ftp://a/b.json is no http(s) address.'],
  [['--every'], "Unknown option '--every'"],
])('npm run sync-providers -- %j is refused with a sentence', (args, sentence) => {
  expect(() => readSyncArguments(args)).toThrow(sentence);
});

test('a file of another kind is refused by its name', () => {
  expect(['a.txt', 'a', 'json', 'https://a/b?c=d.json'].map(formatOf)).toEqual([null, null, null, null]);
  expect(['a.JSON', 'b.jsonl', 'https://a/b.csv?c=d'].map(formatOf)).toEqual(['json', 'ndjson', 'csv']);
});

/** Hands a push on to the application, and its answer back. */
async function passOn(request: IncomingMessage, response: ServerResponse, app: TestApp): Promise<void> {
  const { authorization = '', 'content-type': type = '' } = request.headers;
  const body = await text(request);
  const answer = await app.post('/api/providers/sync', body, { authorization, 'content-type': type });
  response.writeHead(answer.status).end(answer.text);
}

describe('the example that pushes', () => {
  const count = 2_500;
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      wordpress_id: index + 1,
      name: `Clinic ${index + 1}`,
      email: 'a@example.com',
      zip_code: index === 7 ? 'none' : '80202',
    }),
  );

  async function push(app: TestApp, file: string, args: string[] = []) {
    const { authorization } = await tokenOf(app, ['providers:write']);
    const token = authorization?.replace('Bearer ', '') ?? '';
    return run('pushProviders', [file, '--to', app.url, ...args], { PROVIDERS_TOKEN: token });
  }

  test('sends all of a file, tells what was skipped, and finds nothing new the second time', async () => {
    await using app = await testApp();
    const file = await fileOf('push.ndjson', lines.join('\n'));
    const first = await push(app, file);
    expect(first).toMatchObject({
      status: 0,
      output: expect.stringMatching(
        /8\t“none” is not a US ZIP code[^]*2499 created, 0 updated, 0 unchanged, 1 skipped\.\n$/,
      ),
    });
    expect(await app.sql`select 1 from providers`).toHaveLength(count - 1);
    expect((await push(app, file)).output).toContain('0 created, 0 updated, 2499 unchanged, 1 skipped.');
  });

  test('goes on where it was stopped, and says why it stopped', async () => {
    await using app = await testApp();
    const file = await fileOf('resume.ndjson', `${lines.join('\n')}\n`);
    let requests = 0;
    // A proxy that lets one batch through, is busy for a second, then refuses.
    const proxy = createServer((request, response) => {
      requests += 1;
      if (requests === 2) response.writeHead(503, { 'retry-after': '1' }).end();
      else if (requests > 3) response.writeHead(403).end('{"error":"Not today."}');
      else void passOn(request, response, app);
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const address = proxy.address();
    const through = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const { authorization } = await tokenOf(app, ['providers:write']);
    const env = { PROVIDERS_TOKEN: authorization?.replace('Bearer ', '') ?? '' };
    const stopped = await run('pushProviders', [file, '--to', through], env);
    expect(stopped).toMatchObject({
      status: 1,
      output: expect.stringMatching(
        /503 Service Unavailable; trying again in 1 s\.\n[^]*403 Not today\.\nStopped after line 2000; start again to go on from there\.\n$/,
      ),
    });
    expect(JSON.parse(await readFile(`${file}.state.json`, 'utf8'))).toMatchObject({ sentLines: 2_000 });
    expect((await run('pushProviders', [file, '--to', app.url], env)).output).toContain(
      'Start over with --restart.',
    );
    requests = 0;
    const resumed = await run('pushProviders', [file, '--to', through], env);
    proxy.close();
    expect(resumed).toMatchObject({
      status: 0,
      output: expect.stringContaining('Going on after line 2000.'),
    });
    expect(requests).toBe(1);
    expect(await app.sql`select 1 from providers`).toHaveLength(count - 1);
  });

  test('a line longer than the service takes is told and left out', async () => {
    await using app = await testApp();
    const long = JSON.stringify({ wordpress_id: 9_999, name: 'x'.repeat(8 * 1024 * 1024) });
    const file = await fileOf('long.ndjson', [lines[0], long, lines[1]].join('\n'));
    expect(await push(app, file)).toMatchObject({
      status: 0,
      output: expect.stringMatching(
        /line 2\tIt is longer than 7 MiB\.\n[^]*2 created, 0 updated, 0 unchanged, 1 skipped\.\n$/,
      ),
    });
  });

  test('killed in the middle, it goes on after the last batch that was answered', async () => {
    await using app = await testApp();
    const file = await fileOf('killed.ndjson', lines.join('\n'));
    const { authorization } = await tokenOf(app, ['providers:write']);
    const env = {
      ...commandEnvironment,
      PROVIDERS_TOKEN: authorization?.replace('Bearer ', '') ?? '',
    };
    const child = spawn(process.execPath, [resolve('scripts/pushProviders.ts'), file, '--to', app.url], {
      env,
      stdio: 'ignore',
    });
    await vi.waitUntil(
      () =>
        readFile(`${file}.state.json`).then(
          () => true,
          () => false,
        ),
      { timeout: 30_000, interval: 1 },
    );
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    expect((await push(app, file)).status).toBe(0);
    expect(await app.sql`select 1 from providers`).toHaveLength(count - 1);
  });

  test('without a token, a file or a right it says so', async () => {
    await using app = await testApp();
    const file = await fileOf('wrong.ndjson', lines[0] ?? '');
    expect((await run('pushProviders', [file], {})).output).toContain('Which file, and with which token?');
    expect((await push(app, join(folder, 'none.ndjson'))).output).toContain(
      'none.ndjson could not be opened.',
    );
    expect(
      (await run('pushProviders', [file, '--to', app.url], { PROVIDERS_TOKEN: 'mpx_wrong' })).output,
    ).toContain('401 Sign in first.');
  });
});
