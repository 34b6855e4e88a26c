import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runProgram } from './runProgram.ts';

/** Two network namespaces: a server that reaches the internet through this machine, and a visitor beside it. */
export interface MachineNetwork extends AsyncDisposable {
  /** Names of the namespaces. */
  server: string;
  visitor: string;
  /** This machine's address, as the server sees it. */
  hostAddress: string;
  /** The server's address, as the visitor sees it. */
  serverAddress: string;
}

async function must(program: string, ...args: string[]): Promise<void> {
  const { status, errors } = await runProgram(program, args);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${errors.trim()}`);
}

const forwarding = '/proc/sys/net/ipv4/ip_forward';

/** Opens the network. The visitor resolves `names` to the server. Everything is removed at the end. */
export async function openNetwork(names: readonly string[]): Promise<MachineNetwork> {
  await using undo = new AsyncDisposableStack();
  const id = `cl${process.pid}`;
  const [server, visitor] = [`${id}-clinic`, `${id}-visitor`];
  const net = `10.231.${process.pid % 256}`;
  for (const namespace of [server, visitor]) {
    await must('ip', 'netns', 'add', namespace);
    undo.defer(() => must('ip', 'netns', 'delete', namespace));
    await must('ip', '-n', namespace, 'link', 'set', 'lo', 'up');
  }
  // The server's way to the internet.
  await must('ip', 'link', 'add', id, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', server);
  await must('ip', 'address', 'add', `${net}.1/30`, 'dev', id);
  await must('ip', 'link', 'set', id, 'up');
  await must('ip', '-n', server, 'address', 'add', `${net}.2/30`, 'dev', 'eth0');
  await must('ip', '-n', server, 'link', 'set', 'eth0', 'up');
  await must('ip', '-n', server, 'route', 'add', 'default', 'via', `${net}.1`);
  for (const rule of [
    [
      'POSTROUTING',
      '--table',
      'nat',
      '--source',
      `${net}.0/30`,
      '!',
      '--out-interface',
      id,
      '--jump',
      'MASQUERADE',
    ],
    ['FORWARD', '--in-interface', id, '--jump', 'ACCEPT'],
    ['FORWARD', '--out-interface', id, '--jump', 'ACCEPT'],
  ]) {
    await must('iptables', '--wait', '--insert', ...rule);
    undo.defer(() => must('iptables', '--wait', '--delete', ...rule));
  }
  const before = await readFile(forwarding, 'utf8');
  await writeFile(forwarding, '1');
  undo.defer(() => writeFile(forwarding, before));
  // The visitor's way to the server.
  const eth1 = ['eth1', 'type', 'veth', 'peer', 'name', 'eth0', 'netns', visitor];
  await must('ip', '-n', server, 'link', 'add', ...eth1);
  await must('ip', '-n', server, 'address', 'add', `${net}.5/30`, 'dev', 'eth1');
  await must('ip', '-n', server, 'link', 'set', 'eth1', 'up');
  await must('ip', '-n', visitor, 'address', 'add', `${net}.6/30`, 'dev', 'eth0');
  await must('ip', '-n', visitor, 'link', 'set', 'eth0', 'up');
  // `ip netns exec` puts this file in place of /etc/hosts.
  const files = path.join('/etc/netns', visitor);
  undo.defer(() => rm(files, { recursive: true, force: true }));
  await mkdir(files, { recursive: true });
  await writeFile(path.join(files, 'hosts'), `127.0.0.1 localhost\n${net}.5 ${names.join(' ')}\n`);
  const made = undo.move();
  return {
    ...{ server, visitor, hostAddress: `${net}.1`, serverAddress: `${net}.5` },
    [Symbol.asyncDispose]: () => made.disposeAsync(),
  };
}
