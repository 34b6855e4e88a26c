import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { runProgram } from './runProgram.ts';

/** The files of the repository as they are now, committed to a repository of their own that can be cloned. */
export async function copyRepository(to: string): Promise<void> {
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { output } = await runProgram('git', listed);
  for (const file of output.split('\0').filter((name) => name !== '' && existsSync(name)))
    await cp(file, path.join(to, file));
  await git(to, ['init', '--quiet']);
  await commitAll(to);
}

export async function commitAll(folder: string): Promise<void> {
  await git(folder, ['add', '--all', '--force']);
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  await git(folder, [...author, 'commit', '--quiet', '--message', 'As it is']);
}

async function git(folder: string, args: readonly string[]): Promise<void> {
  const { status, errors } = await runProgram('git', ['-C', folder, ...args]);
  if (status !== 0) throw new Error(errors);
}
