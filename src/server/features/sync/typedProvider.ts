import type { z } from 'zod';
import type {
  AdminProvider,
  ownProviderCreateInput,
  ownProviderUpdateInput,
} from '#shared/admin/adminProviders.ts';
import { zipFive } from '#shared/leads/zip.ts';
import { type TypedField, typedFields } from '#shared/providers/providerFieldLists.ts';
import { providerFields } from '#shared/providers/providerFieldTable.ts';
import { storedValue, toColumns } from '#server/db/providerFields.ts';
import type { ProviderRow } from '#server/db/schema/index.ts';
import { AppError, type FieldErrors } from '#server/errors.ts';
import type { Services } from '#server/services.ts';
import { getAdminProvider } from '../providers/adminProvidersQueries.ts';
import {
  insertOwnProvider,
  lockOwnProvider,
  type ProviderAuthor,
  updateOwnProvider,
} from '../providers/ownProviders.ts';
import { readPlace } from './coordinates.ts';
import { quoted, type Reading, type RecordNotes, SkipError } from './fieldValues.ts';
import { skipMessages } from './messages.ts';
import { readEmail, readName, readZip } from './normalizeProvider.ts';
import { readOptionalValue } from './optionalFields.ts';
import { buildContext } from './runSync.ts';

type Typed = z.output<typeof ownProviderCreateInput>;
type Values = Partial<Record<TypedField, unknown>>;
type TypedServices = Pick<Services, 'config' | 'db' | 'now' | 'zipTable'>;

/** Fields that are one value: a fault of either is named at the first. */
const place = ['latitude', 'longitude'] as const;
const isInPlace = (name: string): boolean => place.some((one) => one === name);

/**
 * The values of a provider that staff typed, by the sync's own rules, except that a value that can't be used refuses
 * all of them. Throws UNPROCESSABLE_CONTENT with the reason of each field.
 */
function readTyped(services: TypedServices, typed: Typed): Values {
  const context = { ...buildContext(services, { base: null }), media: new Map<number, string>(), absent: [] };
  const record = Object.fromEntries(
    typedFields.map((name) => [providerFields[name].column, typed[name] ?? '']),
  );
  const errors: FieldErrors = {};
  const values: Values = {};
  function read(name: TypedField, value: (reading: Reading) => unknown): void {
    const notes: RecordNotes = { warnings: [], kept: [], isOff: false, isFieldUsed: false };
    try {
      values[name] = value({ record, context, notes });
      const [warning] = notes.warnings;
      if (warning !== undefined) errors[name] = warning;
    } catch (error) {
      if (!(error instanceof SkipError)) throw error;
      errors[name] = error.message;
    }
  }
  const given = (name: 'email' | 'zip_code'): unknown => record[name] || null;
  read('name', () => readName(record, context));
  read('email', () => readEmail(given('email')));
  read('zipCode', () => {
    const text = String(record['zip_code']).trim();
    // Nobody typed it in a spreadsheet, which the sync's message is about.
    if (text !== '' && zipFive(text) === null) throw new SkipError(skipMessages.zip(quoted(text)));
    const zip = readZip(given('zip_code'), context.zipTable);
    readPlace([], zip, context.zipTable);
    return zip;
  });
  if (errors['zipCode'] === undefined)
    read('latitude', () => {
      const found = readPlace(
        [{ latitude: record['latitude'], longitude: record['longitude'] }],
        String(values.zipCode),
        context.zipTable,
      );
      values.longitude = found?.longitude ?? null;
      return found?.latitude ?? null;
    });
  for (const name of typedFields)
    if (!(name in values) && !(name in errors) && !isInPlace(name))
      read(name, (reading) => readOptionalValue(providerFields[name].column, reading));
  const [first] = Object.values(errors);
  if (first !== undefined) throw new AppError('UNPROCESSABLE_CONTENT', first, { fields: errors });
  return values;
}

interface TypedAction extends ProviderAuthor {
  services: TypedServices;
}

/** Adds a provider that exists only here, inactive. Throws UNPROCESSABLE_CONTENT with the reasons by field. */
export function createTypedProvider(
  { services, actor, ip }: TypedAction,
  typed: Typed,
): Promise<AdminProvider> {
  const { name = '', zipCode = '', email = '', ...rest } = toColumns(readTyped(services, typed));
  return services.db.transaction(async (tx) =>
    getAdminProvider(tx, await insertOwnProvider(tx, { actor, ip }, { ...rest, name, zipCode, email })),
  );
}

/** What is stored, as staff would type it. */
function toTyped(row: ProviderRow): Typed {
  return Object.fromEntries(
    typedFields.map((name) => {
      const value = storedValue(row, providerFields[name].column);
      return [name, typeof value === 'boolean' ? value : String(value ?? '')];
    }),
  );
}

/**
 * Changes what staff typed of a provider that exists only here; it is judged with the rest of its row. Throws
 * NOT_FOUND, CONFLICT if a source owns it, and UNPROCESSABLE_CONTENT.
 */
export function updateTypedProvider(
  action: TypedAction,
  { id, ...typed }: z.output<typeof ownProviderUpdateInput>,
): Promise<AdminProvider> {
  const { services } = action;
  return services.db.transaction(async (tx) => {
    const before = await lockOwnProvider(tx, id);
    const given = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined));
    const values = readTyped(services, { ...toTyped(before), ...given });
    const isGiven = (name: string): boolean =>
      name in given || (isInPlace(name) && place.some((one) => one in given));
    const changes = toColumns(Object.fromEntries(Object.entries(values).filter(([name]) => isGiven(name))));
    await updateOwnProvider(tx, action, { before, changes });
    return getAdminProvider(tx, id);
  });
}
