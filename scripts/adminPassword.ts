import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { hashPassword } from '#server/security/password.ts';
import { passwordLengthMax, passwordLengthMin } from '#shared/admin/staffAccounts.ts';

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
 * `npm run admin:password`: asks for a password twice, or reads it from standard input, and prints only its hash. Exit
 * code 1 for one too short.
 */
async function main(): Promise<void> {
  const password = await readSecret('Password: ');
  if (password.length < passwordLengthMin || password.length > passwordLengthMax) {
    console.error(`Use ${passwordLengthMin} to ${passwordLengthMax} characters.`);
    process.exitCode = 1;
    return;
  }
  if (process.stdin.isTTY && (await readSecret('Again: ')) !== password) {
    console.error('The two are not the same.');
    process.exitCode = 1;
    return;
  }
  console.error('Put this into ADMIN_PASSWORD_HASH, in single quotes:');
  console.log(await hashPassword(password));
}

await main();
