import { parseArgs } from 'node:util';
import { connect } from '#server/db/connect.ts';
import { endToken, listTokens, makeToken } from '#server/features/auth/tokens.ts';
import { inputMessage } from '#server/errors.ts';
import { tokenCreateInput } from '#shared/admin/access.ts';
import { tokenScopes } from '#shared/admin/staff.ts';
import { withDatabase } from './withDatabase.ts';

type Database = ReturnType<typeof connect>['db'];

const usage = [
  'npm run token -- create --scope <scope> [--scope <scope> …] [--name <name>]',
  'npm run token -- list',
  'npm run token -- revoke <id>',
  `Scopes: ${tokenScopes.join(', ')}`,
].join('\n');

const by = () => ({ actor: { kind: 'command', name: 'npm run token' } as const, ip: null, now: new Date() });

async function create(db: Database, name: string | undefined, scopes: string[]): Promise<void> {
  const asked = tokenCreateInput.safeParse(
    {
      name: name ?? `Script ${new Date().toISOString().slice(0, 10)}`,
      scopes: scopes.flatMap((scope) => scope.split(/[\s,]+/)),
    },
    { error: inputMessage },
  );
  if (!asked.success)
    throw new Error(`${(asked.error.issues[0]?.message ?? 'Wrong').replace(/\.?$/, '.')}\n${usage}`);
  const { row, token } = await makeToken(db, by(), asked.data);
  console.error(
    `Token ${row.id} "${row.name}" created with ${row.scopes.join(', ')}. It is shown only once:`,
  );
  console.log(token);
}

async function list(db: Database): Promise<void> {
  const rows = await listTokens(db);
  for (const { id, name, prefix, scopes, lastUsedAt, revokedAt } of rows) {
    const state =
      revokedAt === null
        ? `last used ${lastUsedAt?.toISOString() ?? 'never'}`
        : `revoked ${revokedAt.toISOString()}`;
    console.log([id, `${prefix}…`, name, scopes.join(' '), state].join('\t'));
  }
  if (rows.length === 0) console.log('No tokens yet.');
}

async function revoke(db: Database, id: string | undefined): Promise<void> {
  if (id === undefined || !/^[1-9]\d{0,14}$/.test(id)) throw new Error(`Enter the token’s ID.\n${usage}`);
  const row = await endToken(db, by(), Number(id));
  console.log(`Token ${row.id} "${row.name}" is revoked.`);
}

/** What `npm run token` does with its arguments. Throws a sentence, with how it is used, where they are wrong. */
export async function runToken(url: string, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { name: { type: 'string' }, scope: { type: 'string', multiple: true } },
  });
  const [command, id] = positionals;
  const { db, close } = connect(url, { applicationName: 'clinic-leads-token', max: 1 });
  try {
    if (command === 'create') await create(db, values.name, values.scope ?? []);
    else if (command === 'list') await list(db);
    else if (command === 'revoke') await revoke(db, id);
    else throw new Error(usage);
  } finally {
    await close();
  }
}

/** `npm run token`: creates, lists and revokes the tokens of scripts. */
if (import.meta.main) await withDatabase(({ url }) => runToken(url, process.argv.slice(2)));
