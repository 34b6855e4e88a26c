import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type MachineNetwork, openNetwork } from './machineNetwork.ts';
import { isPeerMissing } from './peers.ts';
import { type Output, programEnvironment, runProgram } from './runProgram.ts';
import { waitUntil } from './waitFor.ts';

const release = 'trixie';
const archive = 'http://deb.debian.org/debian';
/** What every Debian has, and debootstrap's smallest variant leaves out. */
const included = ['systemd', 'systemd-sysv', 'dbus', 'ca-certificates'];
const programs = ['debootstrap', 'systemd-nspawn', 'nsenter', 'ip', 'iptables', 'curl', 'git'];
const ownAuthorities = '/usr/local/share/ca-certificates';

/** Whether to skip what needs a machine of its own: without root and network namespaces, nothing requires it. */
export function skipWithoutMachine(): boolean {
  const missing = programs.filter(
    (name) => spawnSync('which', [name], { env: programEnvironment }).status !== 0,
  );
  const isAllowed =
    process.getuid?.() === 0 && spawnSync('unshare', ['--net', '--mount', 'true']).status === 0;
  if (isAllowed)
    return isPeerMissing(
      missing.length === 0,
      `Missing: ${missing.join(', ')} (Debian: apt-get install debootstrap systemd-container iproute2 iptables).`,
    );
  process.stderr.write(
    'Skipped: what boots a Debian in a container, which needs root and network namespaces.\n',
  );
  return true;
}

/** A Debian with systemd, in a container with a network of its own, and a visitor's computer beside it. */
export interface DebianMachine extends AsyncDisposable {
  network: MachineNetwork;
  /** Runs a script as root in the machine; `input` is its standard input. Ends with the first command that fails. */
  run: (script: string, input?: string) => Promise<Output>;
  /** Runs a script on the visitor's computer, which trusts this authority of the machine's (a path there). */
  visit: (script: string, authority?: string) => Promise<Output>;
}

/** Names that the visitor's computer resolves to the machine. `shared` folders can be read under /srv/<name>. */
export async function startMachine(options: {
  names: readonly string[];
  shared: Record<string, string>;
}): Promise<DebianMachine> {
  await using undo = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), 'full-install-'));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  const tree = path.join(folder, 'tree');
  await makeTree(tree);
  const network = undo.use(await openNetwork(options.names));
  const binds = Object.entries(options.shared).map(([name, from]) => `--bind-ro=${from}:/srv/${name}`);
  const leader = await boot(tree, { network, binds, undo });
  const run = (script: string, input?: string): Promise<Output> =>
    runProgram('nsenter', ['--target', String(leader), '--all', '--', ...shell(), script], input);
  await waitUntil(async () =>
    /^(?:running|degraded)/.test((await run('systemctl is-system-running')).output),
  );
  const made = undo.move();
  return {
    network,
    run,
    visit: (script, authority) => {
      const trust = authority === undefined ? [] : [`CURL_CA_BUNDLE=${path.join(tree, authority)}`];
      return runProgram('ip', ['netns', 'exec', network.visitor, ...shell(trust), script]);
    },
    [Symbol.asyncDispose]: () => made.disposeAsync(),
  };
}

/** As a reader's root shell, except that the first error ends it. */
function shell(variables: readonly string[] = []): string[] {
  return [
    ...['env', '--ignore-environment', 'HOME=/root', 'LANG=C.UTF-8', 'DEBIAN_FRONTEND=noninteractive'],
    ...['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...variables],
    ...['bash', '-euo', 'pipefail', '-c'],
  ];
}

async function makeTree(tree: string): Promise<void> {
  const { status, output } = await runProgram('debootstrap', [
    ...['--variant=minbase', `--include=${included.join(',')}`, release, tree, archive],
  ]);
  if (status !== 0) throw new Error(`debootstrap failed: ${output.slice(-2_000)}`);
  // The tree is thrown away: nothing in it needs to survive a power cut.
  await writeFile(path.join(tree, 'etc/dpkg/dpkg.cfg.d/unsafe-io'), 'force-unsafe-io\n');
  await writeFile(path.join(tree, 'etc/resolv.conf'), await nameServers());
  // A machine that reaches the internet by a proxy of its own trusts that proxy's authority.
  const authorities = await readdir(ownAuthorities).catch(() => []);
  if (authorities.length > 0) {
    await mkdir(path.join(tree, ownAuthorities), { recursive: true });
    await cp(ownAuthorities, path.join(tree, ownAuthorities), { recursive: true });
    await runProgram('chroot', [tree, 'update-ca-certificates']);
  }
}

/** Of this machine: those that systemd-resolved asks, if it runs, since its own address is of this machine only. */
function nameServers(): Promise<string> {
  return readFile('/run/systemd/resolve/resolv.conf', 'utf8').catch(() =>
    readFile('/etc/resolv.conf', 'utf8'),
  );
}

interface Booting {
  network: MachineNetwork;
  binds: readonly string[];
  undo: AsyncDisposableStack;
}

/** Boots the tree. Returns the process ID of its systemd. */
async function boot(tree: string, { network, binds, undo }: Booting): Promise<number> {
  const args = ['--quiet', '--boot', '--register=no', '--keep-unit', '--resolv-conf=off', ...binds];
  const container = spawn(
    'systemd-nspawn',
    [...args, `--network-namespace-path=/run/netns/${network.server}`, `--directory=${tree}`],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: programEnvironment.PATH, UNIFIED_CGROUP_HIERARCHY: '1' },
    },
  );
  let log = '';
  for (const stream of [container.stdout, container.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (log = (log + text).slice(-4_000)));
  const ended = once(container, 'exit');
  let leader: number | null = null;
  undo.defer(async () => {
    // The end of a container's first process ends all others.
    if (leader !== null) process.kill(leader, 'SIGKILL');
    else container.kill('SIGKILL');
    await ended;
  });
  await waitUntil(async () => {
    if (container.exitCode !== null) throw new Error(`the container ended: ${log}`);
    leader = await systemdBelow(container.pid);
    return leader !== null;
  });
  if (leader === null) throw new Error('the container has no systemd');
  return leader;
}

async function systemdBelow(pid: number | undefined): Promise<number | null> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  for (const child of children.split(' ').filter(Boolean)) {
    const name = await readFile(`/proc/${child}/comm`, 'utf8').catch(() => '');
    if (name.trim() === 'systemd') return Number(child);
  }
  return null;
}
