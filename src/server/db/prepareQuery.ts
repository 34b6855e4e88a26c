import type { Queryable } from './connect.ts';

/**
 * A query that is prepared once for each pool and run with values for its placeholders from then on: for what is asked so often that putting the
 * text together, and having Postgres plan it, would take longer than the answer. Values are sent as they are, so instants are ISO texts.
 */
export function prepareQuery<Query>(prepare: (db: Queryable) => Query): (db: Queryable) => Query {
  const prepared = new WeakMap<Queryable, Query>();
  return (db) => {
    const known = prepared.get(db);
    if (known !== undefined) return known;
    const query = prepare(db);
    prepared.set(db, query);
    return query;
  };
}
