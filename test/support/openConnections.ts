import type { TestApp } from './testApp.ts';

/** Opens connections of the pool: each transaction stays open until all are. */
export async function openConnections({ services }: TestApp, count: number): Promise<void> {
  const all = Promise.withResolvers<void>();
  let open = 0;
  const openOne = () =>
    services.db.transaction(async (tx) => {
      await tx.execute('select 1');
      open += 1;
      if (open === count) all.resolve();
      await all.promise;
    });
  await Promise.all(Array.from({ length: count }, openOne));
}
