import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { processDataDir } from './serverProcess.ts';

export interface WorkerProcess extends AsyncDisposable {
  kill: (signal: NodeJS.Signals) => Promise<void>;
  /** Null while it runs, then its exit status or the signal that ended it. */
  ended: () => number | NodeJS.Signals | null;
}

/** The product's worker in its own process, started like in the Procfile. Ready when this resolves. */
export async function startWorkerProcess(env: Record<string, string>): Promise<WorkerProcess> {
  const child = spawn(process.execPath, ['src/server/main.ts', 'worker'], {
    env: {
      ...process.env,
      NODE_ENV: 'development',
      LOG_LEVEL: 'silent',
      SAMPLE_DATA: 'off',
      // Several run at the same time.
      METRICS_PORT: 'off',
      DATA_DIR: processDataDir,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const ended = exited.then(() => Promise.reject(new Error('the worker ended before it was ready')));
  await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined);
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await exited;
  };
  return {
    kill,
    ended: () => child.exitCode ?? child.signalCode,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) await kill('SIGKILL');
    },
  };
}
