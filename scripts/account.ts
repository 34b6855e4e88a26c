import { parseArgs } from 'node:util';
import { connect } from '#server/db/connect.ts';
import { findAccountByEmail, listAccounts, updateAccount } from '#server/features/auth/accounts.ts';
import { recordAudit } from '#server/features/audit/audit.ts';
import { hashPassword } from '#server/security/password.ts';
import { readNewPassword } from './readNewPassword.ts';
import { withDatabase } from './withDatabase.ts';

type Database = ReturnType<typeof connect>['db'];

const usage = ['npm run account -- list', 'npm run account -- password <email>'].join('\n');

const actor = { kind: 'command', name: 'npm run account' } as const;

async function list(db: Database): Promise<void> {
  const rows = await listAccounts(db);
  for (const { id, name, email, role, passwordVoidAt } of rows)
    console.log(
      [id, name, email, role, passwordVoidAt === null ? '' : 'needs a new password'].join('\t').trimEnd(),
    );
  if (rows.length === 0) console.log('No accounts yet.');
}

/** Sets the password of an account, which ends its sessions. Throws a sentence if there is no such account. */
async function setPassword(db: Database, email: string): Promise<void> {
  const account = await findAccountByEmail(db, email);
  if (account === null)
    throw new Error('There is no account with this email address. npm run account -- list shows all.');
  const password = await readNewPassword(account);
  if (password === null) return;
  const passwordHash = await hashPassword(password);
  await db.transaction(async (tx) => {
    await updateAccount(tx, account.id, { passwordHash });
    const subject = { kind: 'account', id: account.id };
    await recordAudit(tx, { actor, ip: null, action: 'account.password', subject });
  });
  console.log(`Account ${account.id} "${account.name}" (${account.role}) has the new password.`);
}

/** `npm run account`: lists staff accounts, and sets a password, also an owner's that nobody else can set. */
await withDatabase(async ({ url }) => {
  const { positionals } = parseArgs({ allowPositionals: true, options: {} });
  const [action, email, ...more] = positionals;
  const isList = action === 'list' && email === undefined;
  if (!isList && (action !== 'password' || email === undefined || more.length > 0)) throw new Error(usage);
  const { db, close } = connect(url, { applicationName: 'clinic-leads-account', max: 1 });
  try {
    await (email === undefined ? list(db) : setPassword(db, email));
  } finally {
    await close();
  }
});
