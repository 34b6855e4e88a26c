import { eq, type SQL, sql, type SQLWrapper } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { searchTerms } from './searchTerms.ts';

/** Escapes the wildcards of LIKE. */
function literally(text: string): string {
  return text.replace(/[\\%_]/g, String.raw`\$&`);
}

/** Text in lower case without accents, apostrophes and commas: the expression of the index of leads. */
function folded(text: SQLWrapper): SQL {
  return sql`fold_search(${text})`;
}

/**
 * The condition that `text`, in lower case with a space before each word, contains every word of a search, or that the
 * word is `#` and the row's id. Accents, case, apostrophes and commas make no difference: the database folds both sides.
 * A trigram index on `folded(text)` serves the condition.
 */
export function searchConditions(search: string | undefined, text: SQLWrapper, id: PgColumn): SQL[] {
  return searchTerms(search ?? '').map((term) => {
    if (term.kind === 'number') return eq(id, term.id);
    const pattern = term.kind === 'part' ? `%${literally(term.text)}%` : `% ${literally(term.text)}%`;
    return sql`${folded(text)} like fold_search(lower(${pattern}::text))`;
  });
}
