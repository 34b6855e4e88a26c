import { configOrExit } from '#server/config/configOrExit.ts';
import { requireFreePort } from '#server/http/listen.ts';

const parentEveryMs = 500;

/**
 * What `npm start` and `npm run dev` do first: they refuse a port that is taken, which a minute of building would find
 * out too late, and stop with the npm that started them. A signal to npm ends npm and its shell, and would leave this
 * process and its Postgres running.
 */
export async function beforeStart(): Promise<void> {
  const { host, port } = configOrExit();
  await requireFreePort(host, { port, variable: 'PORT' }).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
  const parent = process.ppid;
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const watching = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watching);
    process.kill(process.pid, 'SIGTERM');
  }, parentEveryMs);
  watching.unref();
}

/** A line for each part of a start. */
export function say(line: string): void {
  process.stdout.write(`${line} …\n`);
}
