import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { passwordFault, type PasswordOwner } from '#server/features/auth/passwordFault.ts';
import { passwordLengthMax, passwordLengthMin } from '#shared/admin/access.ts';

const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });

/** A line from the keyboard that the screen never shows, or the first line that is piped in. */
function readSecret(question: string): Promise<string> {
  const isTerminal = process.stdin.isTTY;
  if (isTerminal) process.stderr.write(question);
  // To a terminal of its own that shows nothing: readline would echo what is typed.
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: isTerminal });
  return new Promise((resolve) => {
    let first: string | null = null;
    lines.once('line', (line) => {
      first = line;
      lines.close();
    });
    lines.once('SIGINT', () => process.exit(130));
    lines.once('close', () => {
      if (isTerminal) process.stderr.write('\n');
      resolve(first ?? '');
    });
  });
}

/**
 * A new password: asked for twice, or the first line of standard input. Null, with a sentence and exit code 1, for one
 * too short, too long or easy to guess, and if the two differ. `owner` is null for the shared password.
 */
export async function readNewPassword(owner: PasswordOwner | null): Promise<string | null> {
  const password = await readSecret('Password: ');
  const weakness =
    password.length < passwordLengthMin || password.length > passwordLengthMax
      ? `Use ${passwordLengthMin} to ${passwordLengthMax} characters.`
      : await passwordFault(password, owner);
  const isTyped = weakness === null && process.stdin.isTTY;
  const differs = isTyped && (await readSecret('Again: ')) !== password;
  const fault = differs ? 'The two are not the same.' : weakness;
  if (fault === null) return password;
  console.error(fault);
  process.exitCode = 1;
  return null;
}
