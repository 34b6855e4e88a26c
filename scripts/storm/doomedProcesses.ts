import { setTimeout as delay } from 'node:timers/promises';
import { type ServerProcess, startServer } from '#test/support/serverProcess.ts';
import { startWorkerProcess, type WorkerProcess } from '#test/support/workerProcess.ts';

export interface DoomedProcesses extends AsyncDisposable {
  /** The port of a web process that is up, or was a moment ago. */
  port: () => number;
  kills: () => number;
  /** Kills no more; all that are dead are up again. */
  calm: () => Promise<void>;
}

/** Two web processes and a worker, all of which deliver; one after another is killed (kill -9) by a seed, and started again. */
export async function startDoomed(
  env: Record<string, string>,
  random: () => number,
): Promise<DoomedProcesses> {
  const webs: ServerProcess[] = [await startServer(env), await startServer(env)];
  const workers: WorkerProcess[] = [await startWorkerProcess(env)];
  const over = new AbortController();
  let kills = 0;

  async function killOne(): Promise<void> {
    kills += 1;
    const doomed = Math.floor(random() * 3);
    const web = webs[doomed];
    if (web === undefined) {
      await workers[0]?.kill('SIGKILL');
      workers[0] = await startWorkerProcess(env);
    } else {
      await web.kill();
      webs[doomed] = await startServer(env);
    }
  }

  async function storm(): Promise<void> {
    while (!over.signal.aborted) {
      await delay(500 + random() * 1500);
      if (!over.signal.aborted) await killOne();
    }
  }

  const storming = storm();
  return {
    port: () => webs[Math.floor(random() * webs.length)]?.port ?? 0,
    kills: () => kills,
    async calm() {
      over.abort();
      await storming;
    },
    async [Symbol.asyncDispose]() {
      over.abort();
      await storming;
      for (const one of [...webs, ...workers]) await one[Symbol.asyncDispose]();
    },
  };
}
