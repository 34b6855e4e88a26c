import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { verifyPassword } from '#server/security/password.ts';
import { meets } from '#test/support/meets.ts';

/** Runs `npm run admin:password` with this input. */
async function getHash(input: string): Promise<{ status: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [resolve('scripts/adminPassword.ts')]);
  const closed = new Promise<number | null>((done) => child.once('close', done));
  child.stdin.end(input);
  const [out, err, status] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { status, out, err };
}

test('admin:password prints only the hash of its input, never the password', async () => {
  meets('D.names.57');
  const { status, out, err } = await getHash('correct horse battery\nanother line\n');
  expect(status).toBe(0);
  expect(out).toMatch(/^\$argon2id\$[^\n]+\n$/);
  expect(await verifyPassword('correct horse battery', out.trim())).toBe(true);
  expect(out + err).not.toContain('correct horse');
});

test.each([['short'], ['']])('admin:password refuses %j', async (input) => {
  expect(await getHash(input)).toEqual({ status: 1, out: '', err: 'Use 12 to 1024 characters.\n' });
});
