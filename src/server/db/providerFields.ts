import {
  fieldsIn,
  type FieldsIn,
  type ProviderFieldName,
  type SyncedColumn,
  syncedFields,
} from '#shared/providers/providerFieldLists.ts';
import { providerFields } from '#shared/providers/providerFieldTable.ts';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { type ProviderInsert, providers, type ProviderRow } from './schema/index.ts';

type CamelCase<Text extends string> = Text extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Text;
type Fields = typeof providerFields;
type RowKey<Name extends ProviderFieldName> = CamelCase<Fields[Name]['column']> & keyof ProviderRow;

/** Columns that no field describes: only code that names them shows them. */
type InternalColumn =
  | 'mpxapi'
  | 'waitsForId'
  | 'emailConfirmedAt'
  | 'location'
  | 'locationSource'
  | 'createdAt'
  | 'updatedAt'
  | 'hoursEditedAt';
type Undecided = Exclude<keyof ProviderRow, RowKey<ProviderFieldName> | InternalColumn>;
/** A new column must be described in the table of fields or named as internal: until then this doesn't compile. */
const publicFields: [Undecided] extends [never] ? FieldsIn<'public'>[] : never = fieldsIn('public');

function rowKey<Name extends ProviderFieldName>(name: Name): RowKey<Name> {
  const camel = providerFields[name].column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return camel as RowKey<Name>;
}

/** The columns of fields, under the fields' names in the API: what a query selects needs no conversion. */
export function selectFields<Name extends ProviderFieldName>(names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, providers[rowKey(name)]])) as {
    readonly [N in Name]: (typeof providers)[RowKey<N>];
  };
}

/** The columns of public responses. Public queries select only these: secrets never leave the database. */
export const publicColumns = selectFields(publicFields);
export const staffColumns = selectFields(fieldsIn('staff'));
/** The columns that a provider's pages need. Some, such as its ad accounts, never leave the server. */
export const pageColumns = selectFields(fieldsIn('page'));

/** The fields of a provider that its pages need, under their names in the API. */
export type PageProvider = { [Name in FieldsIn<'page'>]: ProviderRow[RowKey<Name>] };

/** The same of a row. */
export function toPageProvider(row: ProviderRow): PageProvider {
  return Object.fromEntries(fieldsIn('page').map((name) => [name, row[rowKey(name)]])) as PageProvider;
}

/** The values of fields, by their names in the API, as columns of a row. */
export function toColumns(values: Partial<Record<ProviderFieldName, unknown>>): Partial<ProviderInsert> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [rowKey(name as ProviderFieldName), value]),
  );
}

export function syncedDbColumn(column: SyncedColumn): PgColumn {
  return providers[rowKey(syncedFields[column].name)];
}

export function storedValue(row: ProviderRow, column: SyncedColumn): ProviderRow[keyof ProviderRow] {
  return row[rowKey(syncedFields[column].name)];
}
