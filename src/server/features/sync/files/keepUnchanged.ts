import { inArray } from 'drizzle-orm';
import { isRecord, type RawRecord } from '#server/config/fieldMap.ts';
import type { Queryable } from '#server/db/connect.ts';
import { storedValue, syncedDbColumn } from '#server/db/providerFields.ts';
import { providers, type ProviderRow } from '#server/db/schema/index.ts';
import { type SyncedColumn, syncedColumns } from '#shared/providers/providerFieldLists.ts';
import { positiveNumber, wholeNumber } from '../fieldValues.ts';
import type { RawPage } from '../source.ts';

/** Texts that this product exports as they are stored. Numbers, yes or no and the status are read to one form. */
const texts = syncedColumns.filter((column) => {
  const { dataType, enumValues } = syncedDbColumn(column);
  return dataType === 'string' && enumValues === undefined;
});

/** A text without what spreadsheets change in a cell: line ends, spaces around it, leading zeros of a ZIP code. */
function comparable(column: SyncedColumn, text: string): string {
  const plain = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return column === 'zip_code' ? wholeNumber(plain).padStart(5, '0') : plain;
}

/** The text columns in which a record says what is stored, however it is spelled there. */
function unchangedTexts(record: RawRecord, provider: ProviderRow): SyncedColumn[] {
  return texts.filter((column) => {
    const [given, stored] = [record[column], storedValue(provider, column)];
    return (
      typeof given === 'string' &&
      typeof stored === 'string' &&
      comparable(column, given) === comparable(column, stored)
    );
  });
}

/** Columns without which a row is skipped: it is judged with them. */
const judged: ReadonlySet<string> = new Set(['name', 'email', 'zip_code'] satisfies SyncedColumn[]);

/**
 * A page of a CSV file, with the stored texts wherever a record means the same. So an export changes nothing, in any
 * form in which an earlier version stored a value. A file without ZIP codes gets the stored ones, to judge coordinates.
 */
export async function keepUnchanged(
  db: Queryable,
  page: RawPage,
  absent: readonly SyncedColumn[],
): Promise<RawPage> {
  const ids = page.records.map((record) =>
    isRecord(record) ? positiveNumber(record['wordpress_id']) : null,
  );
  const known = await db
    .select()
    .from(providers)
    .where(
      inArray(
        providers.wordpressId,
        ids.filter((id) => id !== null),
      ),
    );
  const byId = new Map(known.map((provider) => [provider.wordpressId, provider]));
  const kept: (readonly SyncedColumn[])[] = [];
  const records = page.records.map((record, at) => {
    const provider = byId.get(ids[at] ?? 0);
    const isKnown = provider !== undefined && isRecord(record);
    const columns = isKnown ? unchangedTexts(record, provider) : [];
    kept.push(columns);
    if (!isKnown) return record;
    const hasStoredZip = absent.includes('zip_code') || columns.includes('zip_code');
    const given = Object.entries(record).filter(
      ([column]) => judged.has(column) || !columns.some((name) => name === column),
    );
    return { ...Object.fromEntries(given), ...(hasStoredZip && { zip_code: provider.zipCode }) };
  });
  return { ...page, records, kept };
}
