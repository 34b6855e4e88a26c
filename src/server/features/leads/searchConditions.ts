import { eq, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { searchTerms } from './searchTerms.ts';

/** LIKE's own signs, taken literally. */
function literally(text: string): string {
  return text.replace(/[\\%_]/g, String.raw`\$&`);
}

/**
 * That every word of a search is found in `text`, which is in lower case with a space before each word, or is `#` and the row's number.
 * Lower case is made by the database on both sides, so that both fold alike. Written so that a trigram index on `text` serves it.
 */
export function searchConditions(search: string | undefined, text: PgColumn | SQL, id: PgColumn): SQL[] {
  return searchTerms(search ?? '').map((term) => {
    if (term.kind === 'number') return eq(id, term.id);
    const pattern = term.kind === 'part' ? `%${literally(term.text)}%` : `% ${literally(term.text)}%`;
    return sql`${text} like lower(${pattern}::text)`;
  });
}
