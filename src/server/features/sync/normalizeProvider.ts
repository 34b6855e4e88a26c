import {
  type FieldMap,
  isRecord,
  type RawRecord,
  readRaw,
  type MappedField,
  readField,
  readId,
  readMapPoint,
} from '#server/config/fieldMap.ts';
import {
  quoted,
  wholeNumber,
  type NormalizeContext,
  plainText,
  positiveNumber,
  type Reading,
  type RecordNotes,
  SkipError,
} from './fieldValues.ts';
import { deliverableEmail } from '#shared/leads/emailAddress.ts';
import { leadFieldFaults } from '#shared/leads/leadFields.ts';
import { zipFive } from '#shared/leads/zip.ts';
import { type IncomingProvider, syncedFields } from '#shared/providers/providerFieldLists.ts';
import { readPlace } from './coordinates.ts';
import { skipMessages, warningMessages } from './messages.ts';
import { readOptionalFields } from './optionalFields.ts';
import { UnreadableRow } from './source.ts';

/**
 * What a record says about its provider's status. `hidden`: WordPress doesn't show the post, so only its id counts.
 * `off`: a custom field is false or 0, which a field that was never set is too; the whole run decides.
 */
interface GivenStatus {
  state: 'active' | 'inactive' | 'hidden' | 'off' | 'unknown';
  /** The word that nobody knows; empty for the other states. */
  word: string;
  /** Whether its custom field is 1 or true: then other records' false or 0 was set. */
  isFieldUsed: boolean;
}

type Verdict = Exclude<GivenStatus['state'], 'off'> | 'empty' | 'falsy';

const active = ['t', 'true', '1', 'active', 'publish', 'published', 'yes', 'on', 'enabled', 'open'];
const inactive = [
  'f',
  'false',
  '0',
  'no',
  'off',
  'inactive',
  'closed',
  'disabled',
  'deactivated',
  'unpublished',
];
/** WordPress' states of posts that visitors cannot see. Such a record may be incomplete. */
const hidden = ['draft', 'pending', 'private', 'future', 'trash', 'auto-draft', 'inherit'];

const verdicts = new Map<string, Verdict>([
  ['', 'empty'],
  ...active.map((word) => [word, 'active'] as const),
  ...inactive.map((word) => [word, 'inactive'] as const),
  ...hidden.map((word) => [word, 'hidden'] as const),
]);

/** A status without case, spaces around it or typographic forms. */
function toWord(value: unknown): string {
  const text = typeof value === 'boolean' ? String(value) : wholeNumber(quoted(value));
  return text.normalize('NFKC').trim().toLowerCase();
}

function judge(value: unknown): Verdict {
  if (value === undefined || value === null) return 'empty';
  if (value === false || value === 0) return 'falsy';
  return verdicts.get(toWord(value)) ?? 'unknown';
}

/** The single values of a field: of a list, and of a choice its label or, if that says nothing, its value. */
function valuesIn(given: unknown, depth = 0): unknown[] {
  if (Array.isArray(given)) return depth > 2 ? [] : given.flatMap((value) => valuesIn(value, depth + 1));
  if (!isRecord(given)) return [given];
  if (Object.keys(given).length === 0) return [];
  for (const key of ['raw', 'rendered', 'slug']) if (Object.hasOwn(given, key)) return [given[key]];
  const { value, label } = given;
  if (!Object.hasOwn(given, 'value')) return [given];
  if (judge(label) === 'empty') return [value];
  // A choice that was made: its value may be any code, such as 0 for “Active”.
  const isCode = typeof value !== 'string' || /^\d*$/.test(value.trim());
  if (judge(label) !== 'unknown') return isCode || judge(value) === 'unknown' ? [label] : [label, value];
  return [typeof value === 'string' ? value : String(value)];
}

/** Reads a record's status wherever it says one. "Not active" in any place wins. */
function readStatus(fields: FieldMap, record: RawRecord): GivenStatus {
  const places = readRaw(fields, record, 'status').map(({ value, isCustom }) =>
    valuesIn(value).map((single) => ({ single, isCustom, verdict: judge(single) })),
  );
  const all = places.flat();
  const isFieldUsed = all.some(
    ({ single, isCustom }) => isCustom && (single === true || ['1', 'true'].includes(toWord(single))),
  );
  const own = (state: GivenStatus['state'], word = ''): GivenStatus => ({ state, word, isFieldUsed });
  if (all.some(({ verdict }) => verdict === 'hidden')) return own('hidden');
  if (all.some(({ verdict, isCustom }) => verdict === 'inactive' || (verdict === 'falsy' && !isCustom)))
    return own('inactive');
  // The first place that says anything: custom fields are before the record's own.
  for (const place of places) {
    const said = place.find(({ verdict }) => verdict !== 'empty' && verdict !== 'falsy');
    if (said !== undefined)
      return said.verdict === 'active' && !said.isCustom && isOff(all)
        ? own('off')
        : said.verdict === 'active'
          ? own('active')
          : own('unknown', quoted(said.single));
  }
  return own(isOff(all) ? 'off' : 'active');
}

function isOff(all: readonly { isCustom: boolean; verdict: Verdict }[]): boolean {
  return all.some(({ isCustom, verdict }) => isCustom && verdict === 'falsy');
}

/** `gone`: the source no longer shows it, or marks it inactive and has no valid row. */
export type Normalized = RecordNotes &
  (
    | { kind: 'row'; row: IncomingProvider }
    | { kind: 'gone'; wordpressId: number; name: string | null }
    | { kind: 'skipped'; wordpressId: number | null; name: string | null; reason: string }
  );

function required(column: 'name' | 'email' | 'zip_code', text: string | null): string {
  if (text === null) throw new SkipError(skipMessages.missing(syncedFields[column].label));
  return text;
}

/** The email address that gets a provider's leads. Throws SkipError, as the two below. */
export function readEmail(value: unknown): string {
  const email = deliverableEmail(required('email', plainText('email', value)).replace(/^mailto:/i, ''));
  if (leadFieldFaults.email(email) !== null) throw new SkipError(skipMessages.email);
  return email;
}

/** What a spreadsheet or a JSON number leaves of a ZIP code, or ZIP+4, that begins with one or two zeros. */
const lostZero = /^(?:\d{3,4}(?:-\d{4})?|\d{7,8})$/;

/** A ZIP code. A JSON number has no leading zeros: they count if the ZIP code with them exists. */
export function readZip(value: unknown, zipTable: NormalizeContext['zipTable']): string {
  const typed = wholeNumber(required('zip_code', value === null ? null : quoted(value)));
  const zip = zipFive(typed);
  if (zip !== null) return zip;
  if (!lostZero.test(typed)) throw new SkipError(skipMessages.zip(typed));
  const padded = zipFive(typed.padStart(typed.length > 4 ? 9 : 5, '0'));
  const isZip = padded !== null && zipTable.lookup(padded)?.placement === 'zip';
  if (typeof value === 'number' && isZip) return padded;
  throw new SkipError(skipMessages.zipLostZero(typed));
}

/** WordPress' prefixes of titles, in English. */
const titlePrefix = /^(?:(?:Private|Protected):\s*)+/i;

export function readName(record: RawRecord, { fields }: Pick<NormalizeContext, 'fields'>): string {
  const name = required('name', plainText('name', readField(fields, record, 'name')));
  return Object.hasOwn(record, 'title') ? name.replace(titlePrefix, '') || name : name;
}

/** Whether visitors need a password for the post: its fields may be hidden too. */
function isProtected(record: RawRecord): boolean {
  const { password } = record;
  const flags = [record['content'], record['excerpt']];
  return (
    (typeof password === 'string' && password !== '') ||
    flags.some((part) => isRecord(part) && part['protected'] === true)
  );
}

/** A required column that the source doesn't have. A new provider lacks it then. */
const notGiven = '';

/** The row of a record. Throws SkipError if what routes leads can't be used. */
function getProvider(wordpress_id: number, status: 't' | 'f', reading: Reading): IncomingProvider {
  const { record, context } = reading;
  const read = (field: MappedField): unknown => readField(context.fields, record, field);
  const given = (column: 'name' | 'email' | 'zip_code', value: () => string): string =>
    context.absent.includes(column) && read(column) === null ? notGiven : value();
  const zip = given('zip_code', () => readZip(read('zip_code'), context.zipTable));
  const own = { latitude: read('latitude'), longitude: read('longitude') };
  const onMap = readMapPoint(context.fields, record);
  const places = onMap === null ? [own] : [own, onMap];
  // Coordinates are checked against the ZIP code.
  if (zip === notGiven && places.some(({ latitude }) => latitude !== null)) required('zip_code', null);
  const place = zip === notGiven ? null : readPlace(places, zip, context.zipTable);
  return {
    wordpress_id,
    name: given('name', () => readName(record, context)),
    zip_code: zip,
    status,
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    email: given('email', () => readEmail(read('email'))),
    ...readOptionalFields(reading),
  };
}

/** The name of a skipped record, if it has one. */
function nameIn(record: RawRecord, fields: FieldMap): string | null {
  const name = readField(fields, record, 'name');
  return typeof name === 'string' ? quoted(name) : null;
}

/**
 * A valid row from one record of a source, or the reason why it is skipped. "Not active" needs only the id. What routes
 * leads must be valid; any other value that can't be used is left out with a warning, and its column keeps what it has.
 * What a record lacks is empty. Pure; never throws for any record.
 */
export function normalizeProvider(record: unknown, context: NormalizeContext): Normalized {
  const notes: RecordNotes = { warnings: [], kept: [], isOff: false, isFieldUsed: false };
  const skip = (
    reason: string,
    wordpressId: number | null = null,
    name: string | null = null,
  ): Normalized => ({
    ...{ kind: 'skipped', wordpressId, name, reason, ...notes },
  });
  if (record instanceof UnreadableRow) return skip(record.reason, record.wordpressId);
  if (!isRecord(record)) return skip(skipMessages.noObject);
  const given = readId(record);
  const wordpressId = positiveNumber(given);
  const name = nameIn(record, context.fields);
  const isGiven = given !== undefined && given !== null && given !== '';
  if (wordpressId === null) return skip(isGiven ? skipMessages.badId : skipMessages.noId, null, name);
  const { state, word, isFieldUsed } = readStatus(context.fields, record);
  notes.isFieldUsed = isFieldUsed;
  notes.isOff = state === 'off';
  if (state === 'hidden') return { kind: 'gone', wordpressId, name, ...notes };
  if (state === 'unknown') {
    notes.warnings.push(warningMessages.status(word));
    notes.kept.push('status');
  }
  // Whether it is known to be active: a new provider isn't, if nobody knows its status.
  const status = state === 'inactive' || state === 'unknown' ? 'f' : 't';
  try {
    if (isProtected(record)) throw new SkipError(skipMessages.protected);
    return { kind: 'row', row: getProvider(wordpressId, status, { record, context, notes }), ...notes };
  } catch (error) {
    if (!(error instanceof SkipError)) throw error;
    if (state !== 'inactive') return skip(error.message, wordpressId, name);
    const warnings = [warningMessages.goneAnyway(error.message)];
    return { kind: 'gone', wordpressId, name, ...notes, warnings };
  }
}
