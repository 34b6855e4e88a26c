import { sql } from 'drizzle-orm';
import { type Queryable, processTag } from './connect.ts';
import { mainName } from './pool.ts';

/** Connections of one pool of this process in one state. */
export interface OwnConnections {
  /** `main`, or the purpose of a side connection. */
  pool: string;
  state: 'active' | 'in_transaction' | 'idle' | 'other';
  count: number;
}

/** The connections of this process, as the server sees them: the driver has no figures. */
export async function readOwnConnections(db: Queryable): Promise<OwnConnections[]> {
  const rows = await db.execute<{ name: string; state: OwnConnections['state']; count: number }>(sql`
    select application_name as name, case when state like 'idle in transaction%' then 'in_transaction'
      when state in ('active', 'idle') then state else 'other' end as state, count(*)::int as count
    from pg_stat_activity where datname = current_database() and application_name like ${`% ${processTag}`}
    group by 1, 2`);
  return rows.map(({ name, state, count }) => {
    const [, purpose = mainName] = /^(.+?) of /.exec(name) ?? [];
    return { pool: purpose, state, count };
  });
}
