import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

const startMs = 20_000;
/** What each server writes once it answers. */
const readyLines = [/ready for connections/, /Development Server .* started/];

/** Starts the folder's database and web server; resolves when both answer, throws with their log when they don't. */
export async function startServers(folder: string, port: number): Promise<AsyncDisposable> {
  // A group of its own: an interrupted run must not end the script before it has cleaned up.
  const script = spawn('/bin/sh', [join(import.meta.dirname, 'servers.sh'), folder, String(port)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const stop = async (): Promise<void> => {
    const exited = once(script, 'exit');
    script.stdin.end();
    await exited;
  };
  try {
    await ready(script);
  } catch (error) {
    await stop();
    throw error;
  }
  return { [Symbol.asyncDispose]: stop };
}

function ready({ stderr }: { stderr: Readable }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let log = '';
  const read = (text: string): void => {
    log += text;
    if (readyLines.every((line) => line.test(log))) resolve();
  };
  stderr.setEncoding('utf8').on('data', read);
  const late = setTimeout(() => reject(new Error(`WordPress's servers don't answer:\n${log}`)), startMs);
  return promise.finally(() => {
    clearTimeout(late);
    // Still to be read: a full pipe would stop the servers, which log each request.
    stderr.off('data', read).resume();
  });
}
