import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type ServerStart, toEnvironment } from './serverStart.ts';

/** More than the server's own limit for stopping: it passes only if the code never yields. */
const stopMaxMs = 15_000;

interface RunOptions {
  start: Pick<ServerStart, 'viteSocket' | 'database' | 'startedAtMs'>;
  /** For the server only. */
  environment: NodeJS.ProcessEnv;
  onReady: () => void;
  /** The server stopped without a call of `stop`: it got a signal. */
  onEnd: () => void;
}

export interface ServerRuns {
  /** Starts the server, and stops the previous one when it is ready. `files`: what changed; empty at first. */
  run: (files: readonly string[]) => void;
  stop: () => Promise<void>;
  kill: () => void;
}

/**
 * Runs the server in a process of its own. The next process is ready before the previous one stops: they share the port
 * (node:cluster), so that every request is answered. If the next one fails to start, the previous one keeps running.
 */
export function createServerRuns({ start, environment, onReady, onEnd }: RunOptions): ServerRuns {
  cluster.setupPrimary({ exec: fileURLToPath(new URL('server.ts', import.meta.url)), args: [] });
  let current: Worker | null = null;
  let next: Worker | null = null;
  /** What changed since the current process started. */
  let changed: readonly string[] = [];
  const stopped = new Set<Worker>();

  function end(worker: Worker): void {
    stopped.add(worker);
    worker.process.kill('SIGTERM');
    const late = setTimeout(() => worker.process.kill('SIGKILL'), stopMaxMs).unref();
    worker.once('exit', () => {
      clearTimeout(late);
      stopped.delete(worker);
    });
  }

  function run(files: readonly string[]): void {
    const isRestart = files.length > 0;
    const startedAtMs = isRestart ? Date.now() : start.startedAtMs;
    changed = next === null ? files : [...new Set([...changed, ...files])];
    if (next !== null) end(next);
    const worker = cluster.fork({
      ...environment,
      ...toEnvironment({ ...start, startedAtMs, isRestart }),
    });
    next = worker;
    worker.on('message', (message) => {
      if (message !== 'ready' || worker !== next) return;
      const last = current;
      [current, next] = [worker, null];
      if (last !== null) end(last);
      if (isRestart) print(`Server restarted in ${seconds(startedAtMs)} s (${listFiles(changed)})`);
      onReady();
    });
    worker.once('exit', (code, signal) => {
      if (stopped.has(worker)) return;
      const isStart = worker === next;
      if (worker === current) current = null;
      if (isStart) next = null;
      if (code === 0 || signal === 'SIGTERM' || signal === 'SIGINT') onEnd();
      else if (isStart && current !== null)
        print(`The server did not restart (${listFiles(changed)}). The previous one keeps running.`);
      else print('The server stopped. It starts again when a file changes.');
    });
  }

  const workers = (): Worker[] => Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? []);
  return {
    run,
    async stop() {
      const ends = workers().map((worker) => once(worker, 'exit'));
      for (const worker of workers()) if (!stopped.has(worker)) end(worker);
      await Promise.all(ends);
    },
    kill() {
      for (const worker of workers()) worker.process.kill('SIGKILL');
    },
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function seconds(sinceMs: number): string {
  return ((Date.now() - sinceMs) / 1000).toFixed(1);
}

function listFiles([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
