import type { Sql } from './pool.ts';
import { StartFault } from './startFault.ts';

/** Rights in a table that isn't listed below. */
const fullRights = 'select, insert, update, delete';

/**
 * Tables in which the application has fewer rights. Evidence and the audit log are only added to, and only the owner
 * removes what is old (`npm run retention:prune`); an erasure may blank the personal columns. Triggers check both
 * (sql/consentErasure.sql, sql/retention.sql).
 */
const fewerRights: ReadonlyMap<string, string> = new Map([
  ['audit_log', 'select, insert'],
  ['claim_acceptances', 'select, insert'],
  ['consent_checkpoints', 'select'],
  ['consent_erasures', 'select, insert'],
  ['consent_form_snapshots', 'select, insert'],
  [
    'consent_records',
    'select, insert, update (first_name, last_name, email, phone, ip, user_agent, page_url, referrer_host, origin, text_shown, answers)',
  ],
  ['consent_seals', 'select, insert'],
  ['consent_withdrawals', 'select, insert, update (ip)'],
  ['erasure_ledger', 'select, insert, update (sequence, key_id, mac, shipped_at)'],
  ['schema_functions', 'select'],
  ['schema_migrations', 'select'],
]);

/**
 * Grants the application's role rows and sequences of what the connected role owns, also of later tables, and no DDL.
 * Replaces earlier rights; may be repeated. Throws StartFault if the role owns tables: it could drop them.
 */
export async function grantAppRole(sql: Sql, role: string): Promise<void> {
  await sql.begin(async (tx) => {
    const [owned] = await tx<{ tables: number }[]>`
      select count(*)::int as tables from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and pg_get_userbyid(relowner) = ${role}`;
    if ((owned?.tables ?? 0) > 0)
      throw new StartFault(
        `The role "${role}" in DATABASE_URL owns tables, so that it could drop them. As a superuser, run in this database: reassign owned by "${role}" to the role in DATABASE_OWNER_URL.`,
        { permanent: true },
      );
    const app = tx(role);
    await tx`grant usage on schema public to ${app}`;
    await tx`revoke create on schema public from public, ${app}`;
    const [database] = await tx<{ name: string; may_use_temporary: boolean }[]>`
      select current_database() as name, has_database_privilege(${role}, current_database(), 'temporary') as may_use_temporary`;
    // A provider sync stages its rows in temporary tables.
    if (database?.may_use_temporary === false)
      await tx`grant temporary on database ${tx(database.name)} to ${app}`;
    const relations = await tx<{ name: string; kind: string }[]>`
      select relname as name, relkind as kind from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'S') and relowner = current_user::regrole`;
    for (const { name, kind } of relations) {
      const object = tx`${tx.unsafe(kind === 'S' ? 'sequence' : 'table')} ${tx(name)}`;
      const rights = kind === 'S' ? 'usage, select, update' : (fewerRights.get(name) ?? fullRights);
      await tx`revoke all on ${object} from ${app}`;
      await tx`grant ${tx.unsafe(rights)} on ${object} to ${app}`;
    }
    const functions = await tx<{ signature: string }[]>`
      select oid::regprocedure::text as signature from pg_proc
      where pronamespace = 'public'::regnamespace and proowner = current_user::regrole
        and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`;
    for (const { signature } of functions)
      await tx`grant execute on function ${tx.unsafe(signature)} to ${app}`;
    const defaults = tx`alter default privileges in schema public grant`;
    await tx`${defaults} ${tx.unsafe(fullRights)} on tables to ${app}`;
    await tx`${defaults} usage, select, update on sequences to ${app}`;
    await tx`${defaults} execute on functions to ${app}`;
  });
}
