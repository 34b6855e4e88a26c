import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandEnvironment, runCommand as run } from '#test/support/command.ts';
import { getToken } from '#test/support/staff.ts';
import { type TestApp, testApp } from '#test/support/testApp.ts';
import { waitUntil } from '#test/support/waitFor.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sync-files-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function getFile(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** Forwards a push to the application, and returns its response. */
async function passOn(request: IncomingMessage, response: ServerResponse, app: TestApp): Promise<void> {
  const { authorization = '', 'content-type': type = '' } = request.headers;
  const body = await text(request);
  const answer = await app.post('/api/providers/sync', body, { authorization, 'content-type': type });
  response.writeHead(answer.status).end(answer.text);
}

describe('the push-providers example', () => {
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
    const { authorization } = await getToken(app, ['providers:write']);
    const token = authorization?.replace('Bearer ', '') ?? '';
    return run('pushProviders', [file, '--to', app.url, ...args], { PROVIDERS_TOKEN: token });
  }

  test('sends a file, reports skips, and finds nothing new the second time', async () => {
    await using app = await testApp();
    const file = await getFile('push.ndjson', lines.join('\n'));
    const first = await push(app, file);
    expect(first).toMatchObject({
      status: 0,
      output: expect.stringMatching(
        /8\t“none” isn’t a five-digit US ZIP code[^]*2499 created, 0 updated, 0 unchanged, 1 skipped\.\n$/,
      ),
    });
    expect(await app.sql`select 1 from providers`).toHaveLength(count - 1);
    expect((await push(app, file)).output).toContain('0 created, 0 updated, 2499 unchanged, 1 skipped.');
  });

  test('reads a byte order mark, and refuses another encoding by the line', async () => {
    await using app = await testApp();
    const line = JSON.stringify({
      wordpress_id: 1,
      name: 'Núñez',
      email: 'a@example.com',
      zip_code: '80202',
    });
    const marked = await push(app, await getFile('marked.ndjson', `\ufeff${line}\n`));
    expect(marked.output).toContain('1 created');
    const latin = Buffer.from(`${line.replace(/ñ/, 'n')}\n${line}\n`, 'latin1');
    expect(await push(app, await getFile('latin.ndjson', latin))).toMatchObject({
      status: 1,
      output: expect.stringContaining('Line 1 isn’t UTF-8. Save the file as UTF-8.'),
    });
    expect(await app.sql`select name from providers`).toEqual([{ name: 'Núñez' }]);
  });

  test('resumes where it stopped, and reports why', async () => {
    await using app = await testApp();
    const file = await getFile('resume.ndjson', `${lines.join('\n')}\n`);
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
    const { authorization } = await getToken(app, ['providers:write']);
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

  test('reports and skips a line that is too long', async () => {
    await using app = await testApp();
    const long = JSON.stringify({ wordpress_id: 9_999, name: 'x'.repeat(8 * 1024 * 1024) });
    const file = await getFile('long.ndjson', [lines[0], long, lines[1]].join('\n'));
    expect(await push(app, file)).toMatchObject({
      status: 0,
      output: expect.stringMatching(
        /line 2\tIt is longer than 7 MiB\.\n[^]*2 created, 0 updated, 0 unchanged, 1 skipped\.\n$/,
      ),
    });
  });

  test('resumes after the last confirmed batch when killed', async () => {
    await using app = await testApp();
    const file = await getFile('killed.ndjson', lines.join('\n'));
    const { authorization } = await getToken(app, ['providers:write']);
    const env = {
      ...commandEnvironment,
      PROVIDERS_TOKEN: authorization?.replace('Bearer ', '') ?? '',
    };
    const child = spawn(process.execPath, [resolve('scripts/pushProviders.ts'), file, '--to', app.url], {
      env,
      stdio: 'ignore',
    });
    await waitUntil(
      () =>
        readFile(`${file}.state.json`).then(
          () => true,
          () => false,
        ),
      { interval: 1 },
    );
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    expect((await push(app, file)).status).toBe(0);
    expect(await app.sql`select 1 from providers`).toHaveLength(count - 1);
  });

  test('reports a missing token, file or scope', async () => {
    await using app = await testApp();
    const file = await getFile('wrong.ndjson', lines[0] ?? '');
    expect((await run('pushProviders', [file], {})).output).toContain('Which file, and with which token?');
    expect((await push(app, join(folder, 'none.ndjson'))).output).toContain(
      'none.ndjson could not be opened.',
    );
    expect(
      (await run('pushProviders', [file, '--to', app.url], { PROVIDERS_TOKEN: 'mpx_wrong' })).output,
    ).toContain('401 Sign in first.');
  });
});
