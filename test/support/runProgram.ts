import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Output {
  status: number | null;
  /** Standard output. */
  output: string;
  /** Standard error. */
  errors: string;
}

/** Root's programs are in folders that aren't in everybody's path. */
export const programEnvironment = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` };

/** A program that takes longer hangs; it is killed. */
const longestMs = 240_000;

/** Runs a program to its end, with this standard input. Rejects only if it can't be started. */
export async function runProgram(program: string, args: readonly string[], input = ''): Promise<Output> {
  const child = spawn(program, args, {
    env: programEnvironment,
    timeout: longestMs,
    killSignal: 'SIGKILL',
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  // A program that ends without reading breaks the pipe.
  child.stdin.on('error', () => undefined).end(input);
  const [status] = await once(child, 'close');
  return { status: typeof status === 'number' ? status : null, output, errors };
}
