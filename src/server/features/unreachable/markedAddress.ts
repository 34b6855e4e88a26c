import { type SQL, sql, type SQLWrapper } from 'drizzle-orm';

/**
 * The form in which addresses of providers are marked and compared. Computed by Postgres only, so that a mark applies
 * to whichever providers have the address now, however it got into their records.
 */
export function markedAddress(email: SQLWrapper | string): SQL<string> {
  const typed = typeof email === 'string' ? sql`${email}::text` : email;
  return sql<string>`lower(btrim(${typed}))`;
}
