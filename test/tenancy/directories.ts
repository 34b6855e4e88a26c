import { createLog } from '#server/log.ts';
import { connect } from '#server/db/connect.ts';
import type { TenantDirectory } from '#server/tenant/site.ts';
import { createTenantDirectory } from '#server/tenant/tenantDirectory.ts';
import type { TestDb } from '../support/testDb.ts';

export interface OwnDirectory extends AsyncDisposable {
  tenants: TenantDirectory;
  /** Every query for clinics this directory has sent, over whichever connection. */
  statements: string[];
}

interface Options {
  recordsMax?: number;
  missesMax?: number;
  now?: () => number;
  started?: boolean;
}

/** A directory with connections of its own, as another process would have. */
export async function ownDirectory(
  url: string,
  { started = true, ...options }: Options = {},
): Promise<OwnDirectory> {
  const { sql, db, health, close } = connect(url, { applicationName: 'tenancy', max: 4 });
  const statements: string[] = [];
  sql.options.debug = (_connection, statement) => {
    if (/\bproviders\b/.test(statement)) statements.push(statement);
  };
  const tenants = createTenantDirectory({ sql, db, health, log: createLog('silent'), ...options });
  if (started) await tenants.start();
  return {
    tenants,
    statements,
    async [Symbol.asyncDispose]() {
      await tenants.stop();
      await close();
    },
  };
}

/** Cuts only the listening connections of this database; says how many there were. */
export async function killListeners({ sql }: Pick<TestDb, 'sql'>): Promise<number> {
  const killed = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'listener of %'`;
  return killed.length;
}
