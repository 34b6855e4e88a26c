import { Column, eq, is, type SQL, sql, type SQLWrapper } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { searchTerms } from './searchTerms.ts';

/** Escapes the wildcards of LIKE. */
function literally(text: string): string {
  return text.replace(/[\\%_]/g, String.raw`\$&`);
}

/**
 * Text in lower case without accents, apostrophes and commas. Of a column, this is the expression of the index of leads.
 * Anything else is computed first: Postgres inlines the function only if its argument costs nothing.
 */
function folded(text: SQLWrapper): SQL {
  return is(text, Column)
    ? sql`fold_search(${text})`
    : sql`(select fold_search(computed.text) from (select ${text} as text offset 0) as computed)`;
}

/**
 * The condition that `text`, in lower case with a space before each word, contains every word of a search, or that the
 * word is `#` and the row's id. Ignores accents, case, apostrophes and commas. Served by a trigram index.
 */
export function searchConditions(search: string | undefined, text: SQLWrapper, id: PgColumn): SQL[] {
  return searchTerms(search ?? '').map((term) => {
    if (term.kind === 'number') return eq(id, term.id);
    const pattern = term.kind === 'part' ? `%${literally(term.text)}%` : `% ${literally(term.text)}%`;
    return sql`${folded(text)} like fold_search(lower(${pattern}::text))`;
  });
}
