import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isAlive } from '#scripts/embeddedPostgres/postmaster.ts';
import { messages } from '#shared/brand/messages.ts';
import { leadInput } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { scratchRoot } from '#test/support/scratchRoot.ts';
import { freePort } from '#test/support/serverProcess.ts';
import { viteUpgrade } from '#test/support/viteUpgrade.ts';

const copied = [
  'migrations',
  'package.json',
  'scripts',
  'src',
  'test/support',
  'tsconfig.json',
  'vite.config.ts',
];

interface Checkout extends AsyncDisposable {
  folder: string;
  edit: (file: string, change: (text: string) => string) => Promise<void>;
}

/** A copy whose files a test may change. Vite's cache is its own. */
async function copyCheckout(): Promise<Checkout> {
  const folder = await mkdtemp(path.join(scratchRoot(), 'development-'));
  // As root, Postgres runs as its own user, who must get in.
  await chmod(folder, 0o755);
  for (const name of copied) await cp(name, path.join(folder, name), { recursive: true });
  await mkdir(path.join(folder, 'node_modules'));
  for (const name of await readdir('node_modules'))
    if (name !== '.vite')
      await symlink(path.resolve('node_modules', name), path.join(folder, 'node_modules', name));
  return {
    folder,
    async edit(file, change) {
      const place = path.join(folder, file);
      const before = await readFile(place, 'utf8');
      const after = change(before);
      expect(after).not.toBe(before);
      await writeFile(place, after);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 10 }),
  };
}

/** Ids of the processes that work in a folder, by their role (Linux). */
async function listProcesses(folder: string): Promise<Record<string, number>> {
  const roles = {
    npm: /^npm run dev/,
    vite: /scripts\/dev\.ts/,
    server: /scripts\/dev\/server\.ts/,
    postgres: /bin\/postgres /,
  };
  const found: Record<string, number> = {};
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const place = await readlink(`/proc/${id}/cwd`).catch(() => '');
    if (!place.startsWith(folder)) continue;
    const command = (await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ');
    const role = Object.entries(roles).find(([, pattern]) => pattern.test(command))?.[0] ?? command;
    // The shell between npm and Node has Node's command line.
    found[role.startsWith('vite') && command.startsWith('sh ') ? 'shell' : role] = Number(id);
  }
  return found;
}

interface Development extends AsyncDisposable {
  port: number;
  group: number;
  output: () => string;
  exited: Promise<unknown>;
}

async function runDevelopment({ folder }: Checkout): Promise<Development> {
  const port = await freePort();
  const child = spawn('npm', ['run', 'dev'], {
    cwd: folder,
    detached: true,
    env: {
      ...process.env,
      NODE_ENV: 'development',
      DATABASE_URL: '',
      DATA_DIR: path.join(folder, 'data'),
      PORT: String(port),
      RATE_LIMIT_LEADS: 'off',
      SAMPLE_DATA: 'off',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (output += part));
  const exited = once(child, 'exit');
  const group = child.pid ?? 0;
  const development = {
    port,
    group,
    output: () => output,
    exited,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) process.kill(-group, 'SIGTERM');
      await exited;
      await expect.poll(() => listProcesses(folder)).toEqual({});
    },
  };
  await expect.poll(development.output).toContain('Stop with Ctrl-C');
  return development;
}

/** Connects like an open page. Resolves with the messages so far, and whether the connection was closed. */
async function openPage(port: number): Promise<{ messages: () => string; isClosed: () => boolean }> {
  const client = await (await fetch(`http://127.0.0.1:${port}/@vite/client`)).text();
  const [, token = ''] = /wsToken = "([^"]+)"/.exec(client) ?? [];
  const asked = request({ port, host: '127.0.0.1', path: `/?token=${token}`, headers: viteUpgrade() }).end();
  const [{ socket }, , head] = (await once(asked, 'upgrade')) as [IncomingMessage, unknown, Buffer];
  let text = head.toString('latin1');
  let isClosed = false;
  socket.on('data', (part: Buffer) => (text += part.toString('latin1')));
  socket.on('error', () => undefined).on('close', () => (isClosed = true));
  return { messages: () => text, isClosed: () => isClosed };
}

const getStatus = async (port: number): Promise<unknown> =>
  Reflect.get(Object(await (await fetch(`http://127.0.0.1:${port}/healthz`)).json()), 'status');

/** How many repeated leads a sender may send in a minute. */
const repeatsMax = 50;

/** Sends leads, each on a connection of its own, until it is stopped, and then the last of them once more. */
function sendLeads(port: number): { stop: () => Promise<{ answers: string[]; again: string[] }> } {
  const agent = new Agent({ keepAlive: false });
  const inputs: string[] = [];
  const answers: string[] = [];
  const stopping = new AbortController();
  const send = (key: number): Promise<string> =>
    new Promise((resolve) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': `lead ${key}` };
      const asked = request({ agent, port, host: '127.0.0.1', path: '/api/leads', method: 'POST', headers });
      asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
      asked.on('response', (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (part: string) => (body += part));
        response.on('error', () => resolve('cut')).on('end', () => resolve(`${response.statusCode} ${body}`));
      });
      asked.end(inputs[key]);
    });
  const sending = (async () => {
    while (!stopping.signal.aborted) {
      inputs.push(JSON.stringify(leadInput()));
      answers.push(await send(inputs.length - 1));
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await sending;
      const again: string[] = [];
      for (const key of [...inputs.keys()].slice(-repeatsMax)) again.push(await send(key));
      return { answers, again };
    },
  };
}

const health = 'src/server/http/health.ts';
const restarts = (text: string, file: string): number =>
  text
    .split('\n')
    .filter((line) => /^Server restarted in \d+\.\d s /.test(line) && line.endsWith(`(${file})`)).length;

test('npm run dev keeps Postgres and Vite when a server file changes', async () => {
  meets('D.names.49');
  await using checkout = await copyCheckout();
  await using development = await runDevelopment(checkout);
  const { port, output } = development;
  expect(output()).toMatch(/Ready in \d+\.\d s \(dev\)\. Database: embedded Postgres/);
  const before = await listProcesses(checkout.folder);
  expect(Object.keys(before)).toEqual(expect.arrayContaining(['npm', 'postgres', 'server', 'vite']));
  const { postgres, vite } = before;
  const kept = { postgres, vite };
  const page = await openPage(port);

  // No lead that is sent during a restart is refused or lost.
  const leads = sendLeads(port);
  await checkout.edit(health, (text) => text.replace("? 'ok'", "? 'changed'"));
  await expect.poll(() => getStatus(port)).toBe('changed');
  await expect.poll(() => restarts(output(), health)).toBe(1);
  const { answers, again } = await leads.stop();
  expect(answers.length).toBeGreaterThan(1);
  expect(answers.filter((answer) => !answer.startsWith('201 '))).toEqual([]);
  expect(again).toEqual(answers.slice(-again.length));
  // An open page loads again.
  await expect.poll(page.isClosed).toBe(true);
  // The previous process has ended.
  await expect.poll(() => isAlive(before['server'] ?? 0)).toBe(false);
  expect(await listProcesses(checkout.folder)).toMatchObject(kept);

  // A fault is printed once, and the previous server keeps running until it is corrected.
  await checkout.edit(health, (text) => `${text}const fault = ;\n`);
  await expect.poll(output).toContain(`The server did not restart (${health})`);
  expect(output().match(/SyntaxError/g)).toHaveLength(1);
  expect(await getStatus(port)).toBe('changed');
  await checkout.edit(health, (text) => text.replace('const fault = ;\n', '').replace("'changed'", "'good'"));
  await expect.poll(() => getStatus(port)).toBe('good');
  await expect.poll(() => restarts(output(), health)).toBe(2);
  expect(await listProcesses(checkout.folder)).toMatchObject(kept);

  // Pages and the server both use it.
  const shared = 'src/shared/brand/messages.ts';
  await checkout.edit(shared, (text) => text.replace(messages.notFound.title, 'Nothing here'));
  await expect.poll(() => restarts(output(), shared)).toBe(1);
  await expect
    .poll(async () => (await fetch(`http://127.0.0.1:${port}/no-such-page`)).text())
    .toContain('Nothing here');

  // Vite replaces a file of the client in the open page; a test's file concerns nobody.
  const { server } = await listProcesses(checkout.folder);
  const openNow = await openPage(port);
  const field = 'src/client/ui/Field.tsx';
  expect((await fetch(`http://127.0.0.1:${port}/${field}`)).status).toBe(200);
  await checkout.edit('src/server/log.test.ts', (text) => `${text}\n`);
  await checkout.edit(field, (text) => `${text}\n`);
  await expect.poll(openNow.messages).toContain(`"path":"/${field}"`);
  expect(openNow.isClosed()).toBe(false);
  expect(await listProcesses(checkout.folder)).toMatchObject({ ...kept, server });
  expect(output().match(/Server restarted/g)).toHaveLength(3);
});

test('a signal to any process of npm run dev stops all of them', async () => {
  await using checkout = await copyCheckout();
  for (const role of ['npm', 'vite', 'server', 'group'] as const) {
    const development = await runDevelopment(checkout);
    const processes = await listProcesses(checkout.folder);
    process.kill(role === 'group' ? -development.group : (processes[role] ?? 0), 'SIGTERM');
    await development.exited;
    await expect.poll(() => listProcesses(checkout.folder), { message: role }).toEqual({});
    expect(await readdir(path.join(checkout.folder, 'data/postgres'))).not.toContain('postmaster.pid');
  }
});
