import type { Config } from '#server/config/config.ts';
import { configOrExit } from '#server/config/configOrExit.ts';
import { requireFreePort } from '#server/http/httpServer.ts';

const parentEveryMs = 500;

/**
 * What `npm start` and `npm run dev` do first: they refuse a port that is taken, which a minute of building would find
 * out too late, and stop with the npm that started them. A signal to npm ends npm and its shell, and would leave this
 * process and its Postgres running.
 */
export async function beforeStart(): Promise<Config> {
  const config = configOrExit();
  const { host, port } = config;
  await requireFreePort(host, { port, variable: 'PORT' }).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
  if (process.env['npm_lifecycle_event'] !== undefined) stopWithNpm();
  return config;
}

/** Unless a signal was here before: a second one ends a process that is stopping, and would leave its Postgres running. */
function stopWithNpm(): void {
  const parent = process.ppid;
  let isOrphan = false;
  const watching = setInterval(() => {
    if (process.ppid === parent) return;
    // Not at the first look: the signal that ended npm may be on its way to this process too.
    if (isOrphan) {
      clearInterval(watching);
      process.kill(process.pid, 'SIGTERM');
    }
    isOrphan = true;
  }, parentEveryMs);
  watching.unref();
  for (const signal of ['SIGTERM', 'SIGINT'])
    process.once(signal, () => {
      clearInterval(watching);
      // Nothing is started yet: without this listener, the signal would have ended the process.
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    });
}

/** A line for each part of a start. */
export function say(line: string): void {
  process.stdout.write(`${line} …\n`);
}
