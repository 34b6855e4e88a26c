import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';

/** The data folder of processes that need none of their own. Each user of the machine has another. */
export const processDataDir = path.join(tmpdir(), `clinic-leads-server-${userInfo().username}`);

export interface ServerProcess extends AsyncDisposable {
  port: number;
  /** Milliseconds from spawn to the first 200 of /readyz. */
  readyMs: number;
  /** Resident memory now, in millions of bytes (Linux; NaN elsewhere). */
  residentMegabytes: () => number;
  /** CPU time of the process so far in milliseconds, all threads, in steps of 10 (Linux; NaN elsewhere). */
  cpuMs: () => number;
  /** Sends kill -9 and waits until the process has ended. */
  kill: () => Promise<void>;
  /** Null while it runs, then its exit status or the signal that ended it. */
  ended: () => number | NodeJS.Signals | null;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

/** Node's options for the web process in the Procfile. */
async function webArguments(folder: string): Promise<string[]> {
  const procfile = await readFile(path.join(folder, 'Procfile'), 'utf8');
  const [, command] = /^web: \S*node (.*)$/m.exec(procfile) ?? [];
  if (command === undefined) throw new Error('The Procfile names no web process');
  return command.split(' ');
}

export interface LaunchedServer extends AsyncDisposable {
  port: number;
  child: ChildProcess;
  /** Its output so far: the log and messages for the operator. */
  output: () => string;
}

/** The product in its own process, which may end before it is ready. */
export async function launchServer(
  env: Record<string, string>,
  args?: readonly string[],
  cwd = process.cwd(),
): Promise<LaunchedServer> {
  const port = await freePort();
  const child = spawn(process.execPath, args ?? (await webArguments(process.cwd())), {
    cwd,
    env: getEnvironment(port, env),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  return {
    port,
    child,
    output: () => output,
    [Symbol.asyncDispose]: () => stop(child, 'SIGKILL'),
  };
}

function getEnvironment(port: number, env: Record<string, string>): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NODE_ENV: 'development',
    PORT: String(port),
    // Of a worker: several run at the same time.
    METRICS_PORT: 'off',
    // Messages go to its own folder.
    DATA_DIR: processDataDir,
    RATE_LIMIT_LEADS: 'off',
    LOG_LEVEL: 'info',
    SAMPLE_DATA: 'off',
    ...env,
  };
}

/**
 * The product in its own process, like under a process manager; its log is discarded. `folder` is its location, by
 * default this repository.
 */
export async function startServer(
  env: Record<string, string>,
  folder: string = process.cwd(),
  args?: readonly string[],
): Promise<ServerProcess> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, args ?? (await webArguments(folder)), {
    cwd: folder,
    env: getEnvironment(port, env),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = new AbortController();
  child.once('exit', () => gone.abort(new Error('the server ended before it was ready')));
  await once(child, 'message', { signal: gone.signal });
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  if (answer.status !== 200) throw new Error(`/readyz answers ${answer.status}`);
  return {
    port,
    readyMs: performance.now() - startedAt,
    residentMegabytes: () => residentMegabytes(child.pid),
    cpuMs: () => cpuMs(child.pid),
    kill: () => stop(child, 'SIGKILL'),
    ended: () => child.exitCode ?? child.signalCode,
    [Symbol.asyncDispose]: () => stop(child, 'SIGTERM'),
  };
}

function residentMegabytes(pid: number | undefined): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1.024e-3;
  } catch {
    return Number.NaN;
  }
}

/** User and system time: fields 14 and 15 of proc(5)'s stat, in ticks of a hundredth of a second. */
function cpuMs(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

/** A baseline for page benchmarks: plain node:http that sends these bytes and headers. */
export async function startBareServer(
  body: Buffer,
  headers: Record<string, string>,
): Promise<{ port: number } & AsyncDisposable> {
  const child = fork(new URL('../bench/bareServer.ts', import.meta.url), {
    execArgv: [],
    serialization: 'advanced',
  });
  child.send({ body, headers });
  const [message] = (await once(child, 'message')) as [{ port: number }];
  return { port: message.port, [Symbol.asyncDispose]: () => stop(child, 'SIGTERM') };
}
