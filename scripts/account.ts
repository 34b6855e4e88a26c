import { parseArgs } from 'node:util';
import { z } from 'zod';
import { connect } from '#server/db/connect.ts';
import type { StaffAccountRow } from '#server/db/schema/index.ts';
import {
  findAccountByEmail,
  insertAccount,
  listAccounts,
  updateAccount,
} from '#server/features/auth/accounts.ts';
import { takeFactorAway } from '#server/features/auth/totpActions.ts';
import { recordAudit } from '#server/features/audit/audit.ts';
import { hashPassword } from '#server/security/password.ts';
import { readNewPassword } from './readNewPassword.ts';
import { withDatabase } from './withDatabase.ts';

type Database = ReturnType<typeof connect>['db'];

const usage = ['list', 'password <email>', 'reset-two-factor <email>', 'recover <email>']
  .map((call) => `npm run account -- ${call}`)
  .join('\n');

const actor = { kind: 'command', name: 'npm run account' } as const;

async function list(db: Database): Promise<void> {
  const rows = await listAccounts(db);
  for (const { id, name, email, role, passwordVoidAt } of rows)
    console.log(
      [id, name, email, role, passwordVoidAt === null ? '' : 'needs a new password'].join('\t').trimEnd(),
    );
  if (rows.length === 0) console.log('No accounts yet.');
}

/** Throws a sentence if there is no such account. */
async function getByEmail(db: Database, email: string): Promise<StaffAccountRow> {
  const account = await findAccountByEmail(db, email);
  if (account !== null) return account;
  throw new Error('There is no account with this email address. npm run account -- list shows all.');
}

/** For an owner who lost the phone and the recovery codes. Ends the account's sessions. */
async function resetTwoFactor(db: Database, email: string): Promise<void> {
  const account = await getByEmail(db, email);
  const had = await takeFactorAway(db, { actor, ip: null }, account.id);
  console.log(
    `Account ${account.id} "${account.name}" (${account.role}) ${had ? 'has no two-factor sign-in any more.' : 'had no two-factor sign-in.'}`,
  );
}

/** Sets the password of an account, which ends its sessions. */
async function setPassword(db: Database, email: string): Promise<void> {
  const account = await getByEmail(db, email);
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

/**
 * Makes the account of an email address an owner with a new password, and creates it if there is none: for an
 * installation that nobody can manage any more.
 */
async function recover(db: Database, email: string): Promise<void> {
  const known = await findAccountByEmail(db, email);
  const person = known ?? { email: z.email('This is no email address.').parse(email), name: email };
  const password = await readNewPassword(person);
  if (password === null) return;
  const passwordHash = await hashPassword(password);
  const role = 'owner';
  const id = await db.transaction(async (tx) => {
    const created = { ...person, role, passwordHash, createdAt: new Date() } as const;
    const account = known ?? (await insertAccount(tx, created));
    const by = { actor, ip: null, subject: { kind: 'account', id: account.id } };
    if (known === null) {
      await recordAudit(tx, { ...by, action: 'account.create', detail: { role } });
      return account.id;
    }
    await updateAccount(tx, account.id, { passwordHash });
    await recordAudit(tx, { ...by, action: 'account.password' });
    if (account.role === role) return account.id;
    await updateAccount(tx, account.id, { role });
    await recordAudit(tx, { ...by, action: 'account.role', detail: { role } });
    return account.id;
  });
  console.log(`Account ${id} is an owner with the new password.`);
}

/** `npm run account`: lists staff accounts, sets a password or resets two-factor sign-in, recovers an owner. */
await withDatabase(async ({ url }) => {
  const { positionals } = parseArgs({ allowPositionals: true, options: {} });
  const [action, email, ...more] = positionals;
  const acts = new Map([
    ['password', setPassword],
    ['reset-two-factor', resetTwoFactor],
    ['recover', recover],
  ]);
  const act = acts.get(action ?? '') ?? null;
  const isList = action === 'list' && email === undefined;
  if (!isList && (act === null || email === undefined || more.length > 0)) throw new Error(usage);
  const { db, close } = connect(url, { applicationName: 'clinic-leads-account', max: 1 });
  try {
    await (act === null || email === undefined ? list(db) : act(db, email));
  } finally {
    await close();
  }
});
