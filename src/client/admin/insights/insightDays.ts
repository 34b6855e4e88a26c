const dayMs = 86_400_000;
const locale = 'en-US';
const short = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const full = new Intl.DateTimeFormat(locale, {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** The UTC day of a time: `2026-05-31`. */
export function utcDay(instantMs: number): string {
  return new Date(instantMs).toISOString().slice(0, 10);
}

/** The day `count` days later; earlier if negative. */
export function dayAfter(day: string, count: number): string {
  return utcDay(Date.parse(day) + count * dayMs);
}

/** 'May 3' */
export function shortDay(day: string): string {
  return short.format(Date.parse(day));
}

/** 'May 3, 2026' */
export function fullDay(day: string): string {
  return full.format(Date.parse(day));
}
