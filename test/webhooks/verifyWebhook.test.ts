import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signWebhook } from '#server/features/outbox/httpResult.ts';

const root = resolve(import.meta.dirname, '../..');
const script = join(root, 'scripts/verifyWebhook.ts');
let folder = '';
let vector: Record<string, string> = {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webhook-verify-'));
  const docs = await readFile(join(root, 'docs/webhooks.md'), 'utf8');
  vector = Object.fromEntries(
    [...docs.matchAll(/^(secret|webhook-\w+|body) +(\S.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const of = (name: string): string => vector[name] ?? '';

interface Delivery {
  secret?: string;
  body?: string;
  headers?: Record<string, string>;
  options?: readonly string[];
}

/** Runs the command on a delivery whose body comes by standard input. */
async function verify({ secret = of('secret'), body = of('body'), headers, options = [] }: Delivery) {
  const file = join(folder, 'headers.txt');
  const given = headers ?? {
    'webhook-id': of('webhook-id'),
    'webhook-timestamp': of('webhook-timestamp'),
    'webhook-signature': of('webhook-signature'),
  };
  const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`);
  await writeFile(file, `POST /hook HTTP/1.1\r\nHost: integrator.example\r\n${lines.join('')}`);
  const child = spawn(process.execPath, [script, '--headers', file, ...options], {
    env: { ...process.env, WEBHOOK_SECRET: secret },
  });
  child.stdin.end(body);
  const closed = new Promise<number | null>((done) => child.on('close', done));
  const [said, complained, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code, said: `${said}${complained}`.trim() };
}

test('the documentation’s example equals the server’s message and verifies', async () => {
  const headers = signWebhook({
    id: of('webhook-id'),
    body: of('body'),
    secrets: [of('secret')],
    now: new Date(Number(of('webhook-timestamp')) * 1000),
  });
  expect(headers['webhook-signature']).toBe(of('webhook-signature'));
  const genuine = { code: 0, said: `Genuine: ${of('webhook-id')}, ${of('body').length} bytes.` };
  expect(await verify({ options: ['--any-time'] })).toEqual(genuine);
  const file = join(folder, 'body.json');
  await writeFile(file, of('body'));
  expect(await verify({ options: ['--any-time', '--body', file], body: '' })).toEqual(genuine);
  expect(await verify({})).toEqual({ code: 1, said: 'Message timestamp too old' });
});

test('a current delivery verifies; a changed one or another secret does not', async () => {
  const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const sent = { id: 'msg_1', body: of('body'), now: new Date() };
  const headers = signWebhook({ ...sent, secrets: [other, of('secret')] });
  expect((await verify({ headers })).code).toBe(0);
  const refused = { code: 1, said: 'No matching signature found' };
  expect(await verify({ headers, body: of('body').replace('123', '124') })).toEqual(refused);
  expect(await verify({ headers: signWebhook({ ...sent, secrets: [other] }) })).toEqual(refused);
  expect(await verify({ options: ['--any-time'], body: '{}' })).toEqual(refused);
  const { code, said } = await verify({ headers: { 'webhook-id': 'msg_1' } });
  expect([code, said]).toEqual([1, 'There is no webhook-timestamp among the headers.']);
});
