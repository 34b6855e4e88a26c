import { type FieldMap, isRecord, type RawRecord, readRaw } from '#server/config/fieldMap.ts';
import { quoted, wholeNumber } from './fieldValues.ts';

/**
 * What a record says about its provider's status. `hidden`: WordPress doesn't show the post, so only its id counts.
 * `off`: a custom field is false or 0, which a field that was never set is too; the whole run decides.
 */
export interface GivenStatus {
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
export function readStatus(fields: FieldMap, record: RawRecord): GivenStatus {
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
