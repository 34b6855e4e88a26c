import {
  type AdminProvider,
  type AdminProviderUpdate,
  mpxapiLengthMax,
  mpxapiPattern,
} from '#shared/admin/adminProviders.ts';
import { matchRadiusMilesMax } from '#shared/providers/providerFieldTable.ts';
import { providerCopy } from './copy.ts';

const copy = providerCopy.settingsForm;

/** The dialog's fields as typed. */
export interface SettingsValues {
  paused: boolean;
  radius: string;
  /** Null: the brand's colors. */
  hue: number | null;
  /** Empty: the stored key stays. */
  key: string;
  clearsKey: boolean;
}

export interface SettingsErrors {
  radius?: string;
  key?: string;
}

export function settingsOf({ paused, matchRadiusMiles, themeHue }: AdminProvider): SettingsValues {
  return {
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
  { paused, radius, hue, key, clearsKey }: SettingsValues,
): { change: AdminProviderUpdate | null; errors: null } | { change: null; errors: SettingsErrors } {
  const matchRadiusMiles = wholeNumber(radius, 1, matchRadiusMilesMax);
  const typedKey = key.trim();
  const isKeyWrong = typedKey !== '' && !isKey(typedKey);
  if (matchRadiusMiles === undefined || isKeyWrong)
    return {
      change: null,
      errors: {
        ...(matchRadiusMiles === undefined ? { radius: copy.radiusInvalid(matchRadiusMilesMax) } : {}),
        ...(isKeyWrong ? { key: copy.keyInvalid(mpxapiLengthMax) } : {}),
      },
    };
  const changed = {
    ...(paused === opened.paused ? {} : { paused }),
    ...(matchRadiusMiles === opened.matchRadiusMiles ? {} : { matchRadiusMiles }),
    ...(hue === opened.themeHue ? {} : { themeHue: hue }),
    ...(typedKey === '' ? (clearsKey ? { mpxapi: null } : {}) : { mpxapi: typedKey }),
  };
  return { change: Object.keys(changed).length === 0 ? null : { id: opened.id, ...changed }, errors: null };
}
