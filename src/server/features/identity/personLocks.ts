import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';

/** A person is known by an email address or a phone. */
export interface PersonKeys {
  emailNorm: string;
  phoneE164: string;
}

function lockOf(text: string): bigint {
  return createHash('sha256').update(text).digest().readBigInt64BE(0);
}

/**
 * Locks these persons until the transaction ends: only one transaction at a time stores leads of a person or erases
 * them. One statement takes all locks in ascending order, so two transactions never wait for each other. What the last
 * holder committed is visible to later statements, not to this one.
 */
export async function lockPersons(tx: Queryable, persons: readonly PersonKeys[]): Promise<void> {
  const locks = persons.flatMap(({ emailNorm, phoneE164 }) => [
    lockOf(`email\n${emailNorm}`),
    lockOf(`phone\n${phoneE164}`),
  ]);
  const sorted = [...new Set(locks)].toSorted((a, b) => (a < b ? -1 : 1));
  await tx.execute(
    sql`select pg_advisory_xact_lock(lock) from unnest(string_to_array(${sorted.join()}, ',')::bigint[]) as lock`,
  );
}
