import { z } from 'zod';
import {
  type Output,
  type ProviderField,
  type ProviderFieldKind,
  providerFields,
} from './providerFieldTable.ts';

type Fields = typeof providerFields;
export type ProviderFieldName = keyof Fields;
/** The fields with an output. */
export type FieldsIn<Shown extends Output> = {
  [Name in ProviderFieldName]: Shown extends Fields[Name]['outputs'][number] ? Name : never;
}[ProviderFieldName];
type FieldsWith<Property extends keyof ProviderField, Value = unknown> = {
  [Name in ProviderFieldName]: Fields[Name] extends Readonly<Record<Property, Value>> ? Name : never;
}[ProviderFieldName];
type StaffOwned = FieldsWith<'owner', 'staff'>;

const described: Readonly<Record<ProviderFieldName, ProviderField>> = providerFields;
function namesWhere<Name extends ProviderFieldName>(fits: (field: ProviderField) => boolean): Name[] {
  const isName = (name: string): name is Name =>
    Object.entries(described).some(([known, field]) => known === name && fits(field));
  return Object.keys(described).filter(isName);
}

/** The names of the fields with an output, in the order of the table. */
export function fieldsIn<Shown extends Output>(output: Shown): FieldsIn<Shown>[] {
  return namesWhere(({ outputs }) => outputs.includes(output));
}

type Schemas<Name extends ProviderFieldName> = { [N in Name]: Fields[N]['schema'] };
function outputShape<Name extends ProviderFieldName>(names: readonly Name[]): Schemas<Name> {
  return Object.fromEntries(names.map((name) => [name, providerFields[name].schema])) as Schemas<Name>;
}

/** What anyone gets. */
const publicShape = outputShape(fieldsIn('public'));
/** What staff get beside it: of the source and this product, and their own. */
const staffOnly = namesWhere<Exclude<FieldsIn<'staff'>, FieldsIn<'public'>>>(
  ({ outputs }) => outputs.includes('staff') && !outputs.includes('public'),
);
export const sourceShape = outputShape(
  staffOnly.filter((name): name is Exclude<typeof name, StaffOwned> => described[name].owner !== 'staff'),
);
export const staffShape = outputShape(
  staffOnly.filter((name): name is Extract<typeof name, StaffOwned> => described[name].owner === 'staff'),
);

type EditedField = FieldsWith<'edit'>;
type EditShape = {
  [Name in EditedField]: Fields[Name] extends { edit: infer Edit extends z.ZodType }
    ? z.ZodOptional<Edit>
    : never;
};
export const editedFields = namesWhere<EditedField>(({ edit }) => edit !== undefined);
/** What staff may change. A missing field stays unchanged; null clears it. */
export const editShape = Object.fromEntries(
  editedFields.map((name) => [name, providerFields[name].edit.optional()]),
) as EditShape;

type SyncedField = FieldsWith<'kind'>;
/** A column that the sync writes. All others are this site's own. */
export type SyncedColumn = Fields[SyncedField]['column'];
const syncedNames = namesWhere<SyncedField>(({ kind }) => kind !== undefined);
export const syncedColumns: readonly SyncedColumn[] = syncedNames.map((name) => providerFields[name].column);

/** The synced fields by their columns, each with its name in the API. */
export const syncedFields = Object.fromEntries(
  syncedNames.map((name) => [providerFields[name].column, { ...described[name], name }]),
) as Readonly<Record<SyncedColumn, ProviderField & { name: SyncedField; kind: ProviderFieldKind }>>;

/** What a source owns and staff may type only for a provider that no source delivers. Its status is set apart. */
export const typedFields = syncedNames.filter(
  (name): name is TypedField =>
    name !== 'status' && described[name].owner === 'source' && described[name].edit === undefined,
);
export type TypedField = Exclude<SyncedField, EditedField | 'status'>;

/** Such fields as typed: texts, and yes or no. A missing one stays unchanged. */
export const typedShape = Object.fromEntries(
  typedFields.map((name) => [
    name,
    described[name].kind === 'flag' ? z.boolean().optional() : z.string().max(5_000).optional(),
  ]),
) as { [Name in TypedField]: z.ZodOptional<z.ZodString | z.ZodBoolean> };

type KeptField = FieldsWith<'keptIfMissing'>;
type RowOf<Name extends SyncedField> = {
  [N in Name as Fields[N]['column']]: z.output<Fields[N]['schema']>;
};
/** A provider's row from a source, which satisfies the table's checks. What it may lack keeps its value. */
export type IncomingProvider = { wordpress_id: number } & RowOf<Exclude<SyncedField, KeptField>> &
  Partial<RowOf<KeptField>>;

/** A provider's public fields: those that the list names as public. Names and casing are the specification's. */
export const publicProvider = z
  .object(publicShape)
  .meta({ id: 'Provider', description: 'A provider as anyone sees it' });
export type PublicProvider = z.output<typeof publicProvider>;

export const providerGetInput = z.object({ id: z.number().int().positive() });
export const providerByDomainInput = z.object({
  hostname: z.string().min(1).max(253),
});
