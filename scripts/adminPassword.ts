import { hashPassword } from '#server/security/password.ts';
import { readNewPassword } from './readNewPassword.ts';

/**
 * `npm run admin:password`: asks for a password twice, or reads it from standard input, and prints only its hash. Exit
 * code 1 for one that is too short or easy to guess.
 */
const password = await readNewPassword(null);
if (password !== null) {
  console.error('Put this into ADMIN_PASSWORD_HASH, in single quotes:');
  console.log(await hashPassword(password));
}
