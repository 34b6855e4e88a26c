import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Page } from 'playwright';
import { expect, test } from 'vitest';
import { slowness } from '#test/support/slowness.ts';
import { environment } from '#server/config/environment.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { leadDetailCopy } from '#shared/admin/leadDetailCopy.ts';
import { deliveryChannelNames } from '#shared/admin/deliveries.ts';
import { attemptStatusText, unsentStatus } from '#shared/admin/unsentMail.ts';
import { callToAction } from '#shared/brand/calls.ts';
import { hero } from '#shared/brand/hero.ts';
import { chromiumArgs, findTestBrowser } from '#test/support/chromium.ts';
import { copyRepository } from '#test/support/copyRepository.ts';
import { commandBlocks } from '#test/support/documentBlocks.ts';
import { fillLeadForm, leadForm, submitButton } from '#test/support/fillLeadForm.ts';
import { freePort } from '#test/support/serverProcess.ts';
import { waitForHydration } from '#test/support/waitForHydration.ts';
import { waitUntil } from '#test/support/waitFor.ts';

const limitMs = Math.ceil(5 * 60_000 * slowness);
const isRequired = process.env['REQUIRE_PEERS'] === '1';
if (!isRequired)
  process.stderr.write(
    'Skipped: the first run by the README. It installs all packages: set REQUIRE_PEERS=1.\n',
  );

/** Typed as slowly as by a person: a form that is sent sooner is quarantined. */
const person = {
  first_name: 'Quinn',
  last_name: 'Newcomer',
  email: 'quinn@example.com',
  phone: '3035550142',
};
const typingDelayMs = 100;

/** A new shell's: without the product's variables, and without what npm and the test runner add. */
function newShell(variables: Record<string, string>): NodeJS.ProcessEnv {
  const added = /^(?:npm_(?!config_registry$)|VITEST|NODE_(?:ENV|OPTIONS|COMPILE_CACHE|PATH)$)/;
  const kept = Object.entries(process.env).filter(
    ([name]) => !added.test(name) && !Object.keys(environment.shape).includes(name),
  );
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const own = folders.filter((folder) => !folder.split(path.sep).includes('node_modules'));
  return { ...Object.fromEntries(kept), PATH: own.join(path.delimiter), ...variables };
}

/** Command lines of the processes that run in a folder or name it (Linux). */
async function listProcesses(folder: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = ids.map(async (id) => {
    const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
    const place = await readlink(`/proc/${id}/cwd`).catch(() => '');
    return command.includes(folder) || place.startsWith(folder) ? [command.replaceAll('\0', ' ')] : [];
  });
  return (await Promise.all(found)).flat();
}

interface StartedProcess extends AsyncDisposable {
  output: () => string;
  hasEnded: () => boolean;
}

/** Runs a command as a terminal does. When it is disposed, it is stopped like by Ctrl-C. */
function startInTerminal(command: string, cwd: string, variables: Record<string, string>): StartedProcess {
  const child = spawn('sh', ['-c', command], {
    ...{ cwd, env: newShell(variables), detached: true },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Once nothing of it can write any more.
  const closed = once(child, 'close');
  let hasEnded = false;
  child.once('close', () => (hasEnded = true));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return {
    output: () => output,
    hasEnded: () => hasEnded,
    async [Symbol.asyncDispose]() {
      if (!hasEnded && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
      await closed;
    },
  };
}

async function sendForm(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByLabel(hero.zipLabel).fill('80202');
  await page.getByRole('link', { name: callToAction.start }).first().click();
  await expect.poll(() => leadForm(page).locator('[name=zip_code]').inputValue()).toBe('80202');
  for (const [name, value] of Object.entries(person))
    await leadForm(page).locator(`[name=${name}]`).pressSequentially(value, { delay: typingDelayMs });
  await fillLeadForm(page, {});
  await submitButton(page).click();
  await page.waitForURL('**/success?providerId=*');
}

async function readLead(page: Page, password: string): Promise<void> {
  await page.goto('/admin');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: leadCopy.open(`${person.first_name} ${person.last_name}`) }).click();
  const lead = page.getByRole('dialog');
  await lead.getByRole('link', { name: leadDetailCopy.deliveries }).waitFor();
  for (const channel of ['lead-email', 'provider-email'] as const)
    await lead.getByText(`${deliveryChannelNames[channel]}: ${attemptStatusText(unsentStatus)}`).waitFor();
  await page.goto('/admin?tab=outbox');
  await page.getByRole('tabpanel').getByText(person.email).first().waitFor();
}

test.skipIf(!isRequired)(
  'README’s first command leads a newcomer to a lead in five minutes',
  { retry: 0 },
  async () => {
    await using undo = new AsyncDisposableStack();
    const folder = await mkdtemp(path.join(tmpdir(), 'first-run-'));
    undo.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
    // As for a clone in a usual folder: Postgres, which doesn't run as root, can enter.
    await chmod(folder, 0o755);
    await copyRepository(folder);
    const browser = undo.use(
      await chromium.launch({ executablePath: findTestBrowser(), args: chromiumArgs }),
    );
    const port = String(await freePort());

    const [first] = commandBlocks('README.md');
    expect(first?.commands).toMatch(/^npm ci && npm start$/);
    const startedAt = performance.now();
    const variables = { PORT: port, DATA_DIR: path.join(folder, 'data') };
    await using started = startInTerminal(first?.commands ?? '', folder, variables);
    await waitUntil(() => started.hasEnded() || started.output().includes('Stop with Ctrl-C.'), {
      timeout: limitMs,
    });
    const [, password = ''] = /password (\S+)/.exec(started.output()) ?? [];
    if (password === '') throw new Error(`It prints no password:\n${started.output()}`);

    const page = await browser.newPage({ baseURL: `http://localhost:${port}` });
    waitForHydration(page);
    await sendForm(page);
    await readLead(page, password);
    expect(performance.now() - startedAt).toBeLessThan(limitMs);

    expect(await listProcesses(folder)).not.toEqual([]);
    await started[Symbol.asyncDispose]();
    await expect.poll(() => listProcesses(folder)).toEqual([]);
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow('fetch failed');
  },
);
