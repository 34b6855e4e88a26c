import { openingTexts } from '../formats/openingTexts.ts';

export const dayMinutes = 24 * 60;

/** Minutes since the beginning of a day or, of a week, since Monday. */
export type Interval = readonly [opens: number, closes: number];

/** The intervals of each day from Monday. */
export function listDays(hours: string): Interval[][] {
  return hours.split('; ').map((day) => [...day.matchAll(/(\d\d):(\d\d)-(\d\d):(\d\d)/g)].map(readInterval));
}

function readInterval([, ...digits]: readonly string[]): Interval {
  const [hour = 0, minute = 0, lastHour = 0, lastMinute = 0] = digits.map(Number);
  return [hour * 60 + minute, lastHour * 60 + lastMinute];
}

/** Minutes since midnight as a time, such as `9:00 AM`. */
export function toClock(minutes: number): string {
  const hour = Math.floor(minutes / 60) % 24;
  return `${hour % 12 || 12}:${String(minutes % 60).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** A text for each day from Monday, such as `9:00 AM – 5:00 PM`: an interval a line. */
export function listDayTimes(hours: string): string[] {
  return listDays(hours).map((day) => {
    if (day.length === 0) return openingTexts.closed;
    if (day.length === 1 && day[0]?.[0] === 0 && day[0][1] === dayMinutes) return openingTexts.allDay;
    return day.map(([opens, closes]) => `${toClock(opens)} – ${toClock(closes)}`).join('\n');
  });
}

/** The open days in short, those with equal times in one line: `Mon–Fri 9:00 AM – 5:00 PM`. */
export function listShortHours(hours: string): string[] {
  const names = openingTexts.weekdays.map((weekday) => weekday.slice(0, 3));
  const runs: { first: string; last: string; times: string }[] = [];
  listDayTimes(hours).forEach((text, at) => {
    const [times, name = ''] = [text.replaceAll('\n', ', '), names[at]];
    const run = runs.at(-1);
    if (run?.times === times) run.last = name;
    else runs.push({ first: name, last: name, times });
  });
  return runs
    .filter(({ times }) => times !== openingTexts.closed)
    .map(({ first, last, times }) => `${first === last ? first : `${first}–${last}`} ${times}`);
}
