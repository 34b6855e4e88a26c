import { eq, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { searchTerms } from './searchTerms.ts';

/** Escapes the wildcards of LIKE. */
function literally(text: string): string {
  return text.replace(/[\\%_]/g, String.raw`\$&`);
}

/**
 * The condition that `text`, in lower case with a space before each word, contains every word of a search, or that the
 * word is `#` and the row's id. The database makes both sides lower case. A trigram index on `text` serves the
 * condition.
 */
export function searchConditions(search: string | undefined, text: PgColumn | SQL, id: PgColumn): SQL[] {
  return searchTerms(search ?? '').map((term) => {
    if (term.kind === 'number') return eq(id, term.id);
    const pattern = term.kind === 'part' ? `%${literally(term.text)}%` : `% ${literally(term.text)}%`;
    return sql`${text} like lower(${pattern}::text)`;
  });
}
