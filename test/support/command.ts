import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

/** The part of this process's environment that a command gets: the program path and Node's compile cache. */
export const commandEnvironment: Record<string, string> = {
  PATH: process.env['PATH'] ?? '',
  NODE_ENV: 'development',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
};

/** Runs a command of scripts/ like npm, with a text as its input, and returns its exit status and output. */
export function runCommand(
  command: string,
  given: string[] | { args: string[]; input: string },
  env: Record<string, string>,
): Promise<{ status: number; output: string }> {
  const { args, input } = Array.isArray(given) ? { args: given, input: null } : given;
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [resolve('scripts', `${command}.ts`), ...args],
      { env: { ...commandEnvironment, ...env } },
      (error, stdout, stderr) =>
        done({ status: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
    if (input !== null) child.stdin?.end(input);
  });
}
