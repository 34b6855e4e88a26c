import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commitAll, copyRepository } from './copyRepository.ts';
import { type DebianMachine, startMachine } from './debianMachine.ts';
import { type CommandBlock, isAsDescribed } from './documentBlocks.ts';
import { mailServer, type MailServer } from '#scripts/demo/mailServer.ts';
import type { Output } from './runProgram.ts';
import { waitUntil } from './waitFor.ts';

/** The dashboard's password, which is typed when a command asks for it. */
const password = 'a password of the dashboard';
/** Where Caddy keeps the certificate of its own authority. */
const authority = 'var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt';
/** The domain of the page's example provider. */
export const clinicDomain = 'front-range.example';

/** A new machine on which blocks of the documentation are run, and a visitor's computer. */
export interface DocumentedInstall extends AsyncDisposable {
  machine: DebianMachine;
  /** What the machine's mail goes to. */
  mail: MailServer;
  /** Runs blocks in order. Throws with the output if a command fails or prints something else than described. */
  runBlocks: (blocks: readonly CommandBlock[]) => Promise<void>;
  /** Sends JSON from the visitor's computer, which keeps its cookies. Throws if the answer is an error. */
  post: (url: string, body: unknown) => Promise<unknown>;
  signIn: () => Promise<unknown>;
  /** Number and email of each lead. */
  leads: () => Promise<string[]>;
  /** Commits a new version to the repository that the machine clones: one more migration. */
  release: (migration: { name: string; sql: string }) => Promise<void>;
}

/** Starts a machine that can clone this repository and sends its mail to `mail`. */
export async function startInstall(): Promise<DocumentedInstall> {
  await using undo = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), 'full-install-'));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  const source = path.join(folder, 'source');
  await copyRepository(source);
  const names = ['brand.example', 'www.brand.example', clinicDomain];
  const machine = undo.use(await startMachine({ names, shared: { source } }));
  const mail = undo.use(await mailServer({}, machine.network.hostAddress));
  await relayMail(machine, mail);
  const values = { SOURCE: '/srv/source', CADDY_OPTIONS: 'local_certs', SMTP_URL: `smtp://${relay}` };

  async function runOnce({ commands, tags, expected }: CommandBlock): Promise<Result> {
    const result = tags.includes('visitor')
      ? await machine.visit(commands, authority)
      : await machine.run(`${loadSettings}\n${withValues(commands, values)}`, `${password}\n`);
    const isDescribed = expected === null || isAsDescribed(result.output, expected);
    return { ...result, isOk: result.status === 0 && isDescribed };
  }

  async function runBlock(block: CommandBlock): Promise<void> {
    let result = await runOnce(block);
    if (!result.isOk && block.tags.includes('wait'))
      await waitUntil(async () => (result = await runOnce(block)).isOk, waiting).catch(() => undefined);
    if (!result.isOk) throw new Error(toReport(block, result));
  }

  async function post(url: string, body: unknown): Promise<unknown> {
    const cookies = path.join(folder, 'cookies');
    const { status, output, errors } = await machine.visit(
      `curl -sS --fail-with-body --cookie ${cookies} --cookie-jar ${cookies} ${url} \
        -H 'content-type: application/json' -H 'origin: ${new URL(url).origin}' -d '${JSON.stringify(body)}'`,
      authority,
    );
    if (status !== 0) throw new Error(`${url}: ${output}${errors}`);
    return JSON.parse(output);
  }

  const made = undo.move();
  return {
    ...{ machine, mail, post },
    signIn: () => post('https://brand.example/trpc/admin.session.signIn', { password }),
    async runBlocks(blocks) {
      if (blocks.length === 0) throw new Error('no blocks to run');
      for (const block of blocks) await runBlock(block);
    },
    async leads() {
      const query = `select id || ' ' || email from leads order by id`;
      const psql = 'runuser -u postgres -- psql --no-align --tuples-only clinic_leads';
      const { output } = await machine.run(`${psql} --command "${query}"`);
      return output.trimEnd().split('\n');
    },
    async release({ name, sql }) {
      await writeFile(path.join(source, 'migrations', `${name}.sql`), sql);
      await commitAll(source);
    },
    [Symbol.asyncDispose]: () => made.disposeAsync(),
  };
}

interface Result extends Output {
  /** Whether the commands succeeded and printed what is described. */
  isOk: boolean;
}

/** The machine's own mail server passes everything on: to another machine, production requires TLS. */
async function relayMail({ run, network }: DebianMachine, { port }: MailServer): Promise<void> {
  const { status, errors } = await run(
    `systemd-run --quiet --unit=mail-relay --socket-property=ListenStream=${relay} \
      /usr/lib/systemd/systemd-socket-proxyd ${network.hostAddress}:${port}`,
  );
  if (status !== 0) throw new Error(`the mail relay doesn't start: ${errors}`);
}

const relay = '127.0.0.1:2525';
/** What the page asks readers to run in a new shell. */
const loadSettings = '[ ! -e /etc/clinic-leads/settings ] || . /etc/clinic-leads/settings';
/** Prometheus needs two scrapes and evaluations, a restarted service some seconds. */
const waiting = { timeout: 90_000, interval: 500 };

/** The reader's own values in place of the page's. */
function withValues(commands: string, values: Record<string, string>): string {
  return Object.entries(values).reduce(
    (text, [name, value]) => text.replace(new RegExp(`^${name}='.*'$`, 'm'), `${name}='${value}'`),
    commands,
  );
}

function toReport({ heading, commands, expected }: CommandBlock, { status, output, errors }: Result): string {
  return [
    `${heading}: status ${status}`,
    commands,
    `--- output\n${output.slice(-4_000)}`,
    `--- expected\n${expected ?? '(anything)'}`,
    `--- errors\n${errors.slice(-4_000)}`,
  ].join('\n');
}
