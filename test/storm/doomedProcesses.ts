import { setTimeout as delay } from 'node:timers/promises';
import type { RestartablePostgres } from '#test/support/restartablePostgres.ts';
import { type ServerProcess, startServer } from '#test/support/serverProcess.ts';
import { startWorkerProcess, type WorkerProcess } from '#test/support/workerProcess.ts';

/** How often what was killed. */
export interface Kills {
  processes: number;
  /** Single sessions of Postgres (kill -9), which ends all others too. */
  backends: number;
  /** All of Postgres, half of the time as a crash. */
  servers: number;
}

export interface DoomedProcesses extends AsyncDisposable {
  /** The port of a web process that is up, or was a moment ago. */
  port: () => number;
  /** Throws once the storm has failed: a process ended that nobody killed, or something did not start again. */
  kills: () => Kills;
  /** Kills no more; all that are dead are up again. Throws if the storm has failed. */
  stopKilling: () => Promise<void>;
}

/**
 * Two web processes and a worker, all of which deliver, and their Postgres. One after another is killed by a seed and
 * started again: mostly processes (kill -9), two times in five Postgres or one of its sessions.
 */
export async function startKilledProcesses(
  env: Record<string, string>,
  random: () => number,
  postgres: RestartablePostgres,
): Promise<DoomedProcesses> {
  const webs: ServerProcess[] = [await startServer(env), await startServer(env)];
  const workers: WorkerProcess[] = [await startWorkerProcess(env)];
  const over = new AbortController();
  const kills: Kills = { processes: 0, backends: 0, servers: 0 };

  async function killProcess(): Promise<void> {
    const doomed = Math.floor(random() * 3);
    const web = webs[doomed];
    if (web === undefined) {
      await workers[0]?.kill('SIGKILL');
      workers[0] = await startWorkerProcess(env);
    } else {
      await web.kill();
      webs[doomed] = await startServer(env);
    }
    kills.processes += 1;
  }

  async function killDatabase(): Promise<void> {
    if (random() < 0.5) {
      await postgres.restart(random() < 0.5 ? 'fast' : 'immediate');
      kills.servers += 1;
    } else if (await postgres.killBackend()) kills.backends += 1;
  }

  /** A process may not outlive kill -9, but everything else. */
  function expectAllRunning(): void {
    const ended = [...webs, ...workers].map((one) => one.ended()).filter((status) => status !== null);
    if (ended.length > 0) throw new Error(`a process ended that nobody killed: ${ended.join(', ')}`);
  }

  async function storm(): Promise<void> {
    while (!over.signal.aborted) {
      await delay(500 + random() * 1500);
      expectAllRunning();
      if (!over.signal.aborted) await (random() < 0.4 ? killDatabase() : killProcess());
    }
    expectAllRunning();
  }

  let failure: Error | null = null;
  const storming = storm();
  storming.catch((error: unknown) => {
    failure = new Error('the storm failed', { cause: error });
  });
  return {
    port: () => webs[Math.floor(random() * webs.length)]?.port ?? 0,
    kills() {
      if (failure !== null) throw failure;
      return kills;
    },
    async stopKilling() {
      over.abort();
      await storming;
    },
    async [Symbol.asyncDispose]() {
      over.abort();
      await storming.catch(() => undefined);
      for (const one of [...webs, ...workers]) await one[Symbol.asyncDispose]();
    },
  };
}
