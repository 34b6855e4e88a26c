import { adminCopy } from '#shared/admin/copy.ts';

const locale = 'en-US';
const day = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', year: 'numeric' });
const instant = new Intl.DateTimeFormat(locale, {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});
const clock = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });
const near = new Intl.DateTimeFormat(locale, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const utcInstant = new Intl.DateTimeFormat(locale, {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
  hourCycle: 'h23',
});
const distance = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const units = [
  { unit: 'year', ms: 365 * 24 * hour },
  { unit: 'month', ms: 30 * 24 * hour },
  { unit: 'day', ms: 24 * hour },
  { unit: 'hour', ms: hour },
  { unit: 'minute', ms: minute },
] as const;

/** 'Jan 5, 2024' in the reader's time zone; a dash for null. */
export function dayText(iso: string | null): string {
  return iso === null ? adminCopy.none : day.format(new Date(iso));
}

/** 'Jan 5, 2024, 4:32:10 PM MST' */
export function instantText(iso: string): string {
  return instant.format(new Date(iso));
}

/** 'Jan 5, 4:32 PM', for times within days. */
export function nearText(iso: string): string {
  return near.format(new Date(iso));
}

/** '4:32 PM' */
export function clockText(iso: string): string {
  return clock.format(new Date(iso));
}

/** 'Jan 5, 2024, 4:32:10 PM MST (Jan 5, 2024, 23:32:10 UTC)' */
export function instantHint(iso: string): string {
  return `${instantText(iso)} (${utcText(iso)} UTC)`;
}

/** 'Jan 5, 2031, 08:00:00' in UTC */
function utcText(iso: string): string {
  return utcInstant.format(new Date(iso));
}

/** 'now', '5 minutes ago', 'yesterday'. A time in the future is 'now': clocks may differ a little. */
export function relativeText(iso: string, nowMs: number): string {
  const ageMs = Math.max(0, nowMs - Date.parse(iso));
  const largest = units.find(({ ms }) => ageMs >= ms);
  if (largest === undefined) return distance.format(0, 'second');
  return distance.format(-Math.floor(ageMs / largest.ms), largest.unit);
}

/** 'now' for the past, 'in 1 minute' for less than that, 'in 5 minutes', 'in 3 hours', 'tomorrow'. */
export function aheadText(iso: string, nowMs: number): string {
  const aheadMs = Date.parse(iso) - nowMs;
  if (aheadMs <= 0) return distance.format(0, 'second');
  const largest = units.find(({ ms }) => aheadMs >= ms);
  if (largest === undefined) return distance.format(1, 'minute');
  return distance.format(Math.round(aheadMs / largest.ms), largest.unit);
}

/** 'America/Denver (MST)' */
export function zoneText(nowMs: number): string {
  const { timeZone } = instant.resolvedOptions();
  const short = instant.formatToParts(nowMs).find(({ type }) => type === 'timeZoneName')?.value;
  return short === undefined || short === timeZone ? timeZone : `${timeZone} (${short})`;
}
