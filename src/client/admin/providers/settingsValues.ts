import {
  type AdminProvider,
  type AdminProviderUpdate,
  mpxapiLengthMax,
  mpxapiPattern,
} from '#shared/admin/adminProviders.ts';
import { clinicFields } from '#shared/providers/clinicFields.ts';
import { weekdays } from '#shared/providers/openingHours.ts';
import { matchRadiusMilesMax } from '#shared/providers/providerFieldTable.ts';
import { providerCopy } from './copy.ts';

const copy = providerCopy.settingsForm;

export type DetailField = Exclude<keyof typeof clinicFields, 'hours'>;
/** The clinic's details, in the order of the form. Its hours have a control of their own. */
export const detailFields: readonly DetailField[] = [
  ...(['clinicianName', 'credential', 'npi', 'certifiedSince', 'about'] as const),
  ...(['languages', 'pictures', 'bookingUrl', 'timeZone'] as const),
];

export interface SettingsValues {
  paused: boolean;
  radius: string;
  /** Null: the brand's colors. */
  hue: number | null;
  /** Empty: the stored key stays. */
  key: string;
  clearsKey: boolean;
  details: Record<DetailField, string>;
  /** Of each weekday; all blank: not known. */
  hours: readonly string[];
}

export type SettingsErrors = Partial<Record<'radius' | 'key' | 'hours' | DetailField, string>>;

/** A detail as the form shows it: lists with an entry a line for addresses, else with commas. */
function detailText(value: string | string[] | null, name: DetailField): string {
  return Array.isArray(value) ? value.join(name === 'pictures' ? '\n' : ', ') : (value ?? '');
}

/** The hours as typed, as one text; blank if none are known. */
function hoursText(hours: readonly string[]): string {
  if (hours.every((day) => day.trim() === '')) return '';
  return weekdays.map((day, at) => `${day} ${hours[at]?.trim() || 'closed'}`).join('; ');
}

/** What changed of the details, and the messages about those that can't be used. */
function detailChanges(opened: SettingsValues, values: SettingsValues) {
  const change: Record<string, unknown> = {};
  const errors: SettingsErrors = {};
  const typed = [
    ...detailFields.map((name) => [name, opened.details[name], values.details[name]] as const),
    ['hours', hoursText(opened.hours), hoursText(values.hours)] as const,
  ];
  for (const [name, before, text] of typed) {
    if (text === before) continue;
    const parsed = clinicFields[name].edit.safeParse(text);
    if (parsed.success) change[name] = parsed.data;
    else errors[name] = `${parsed.error.issues[0]?.message ?? ''}.`;
  }
  return { change, errors };
}

export function toSettings(provider: AdminProvider): SettingsValues {
  const { paused, matchRadiusMiles, themeHue, hours } = provider;
  const days = hours?.split('; ').map((day) => day.slice(4)) ?? weekdays.map(() => '');
  const details = Object.fromEntries(
    detailFields.map((name) => [name, detailText(provider[name], name)]),
  ) as SettingsValues['details'];
  return {
    details,
    hours: days,
    paused,
    radius: matchRadiusMiles === null ? '' : String(matchRadiusMiles),
    hue: themeHue,
    key: '',
    clearsKey: false,
  };
}

/** A whole number within bounds; null for an empty text, undefined for an invalid one. */
function wholeNumber(text: string, min: number, max: number): number | null | undefined {
  const typed = text.trim();
  if (typed === '') return null;
  const value = Number(typed);
  return /^\d+$/.test(typed) && value >= min && value <= max ? value : undefined;
}

function isKey(text: string): boolean {
  return mpxapiPattern.test(text) && text.length <= mpxapiLengthMax;
}

/**
 * The changes since the form was opened with `opened`, or the errors. Unchanged values are not sent: a colleague may
 * have changed them since. Without changes, `change` and `errors` are both null.
 */
export function settingsChange(
  opened: AdminProvider,
  values: SettingsValues,
): { change: AdminProviderUpdate | null; errors: null } | { change: null; errors: SettingsErrors } {
  const { paused, radius, hue, key, clearsKey } = values;
  const details = detailChanges(toSettings(opened), values);
  const matchRadiusMiles = wholeNumber(radius, 1, matchRadiusMilesMax);
  const typedKey = key.trim();
  const isKeyWrong = typedKey !== '' && !isKey(typedKey);
  if (matchRadiusMiles === undefined || isKeyWrong || Object.keys(details.errors).length > 0)
    return {
      change: null,
      errors: {
        ...(matchRadiusMiles === undefined ? { radius: copy.radiusInvalid(matchRadiusMilesMax) } : {}),
        ...details.errors,
        ...(isKeyWrong ? { key: copy.keyInvalid(mpxapiLengthMax) } : {}),
      },
    };
  const changed = {
    ...details.change,
    ...(paused === opened.paused ? {} : { paused }),
    ...(matchRadiusMiles === opened.matchRadiusMiles ? {} : { matchRadiusMiles }),
    ...(hue === opened.themeHue ? {} : { themeHue: hue }),
    ...(typedKey === '' ? (clearsKey ? { mpxapi: null } : {}) : { mpxapi: typedKey }),
  };
  return { change: Object.keys(changed).length === 0 ? null : { id: opened.id, ...changed }, errors: null };
}
