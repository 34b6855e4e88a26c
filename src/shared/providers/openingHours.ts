import { dayMinutes, type Interval, listDays, toClock } from './dayTimes.ts';
import { openingTexts } from '../formats/openingTexts.ts';
import { minuteMs } from '../formats/time.ts';

/** The weekdays as stored hours name them. */
export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
const weekMinutes = weekdays.length * dayMinutes;

/** Hours as they are stored, and the zone of their times. */
interface StoredHours {
  hours: string | null;
  timeZone: string | null;
}

/** What hours say at a time. */
export interface Opening {
  isOpen: boolean;
  /** The time there. */
  clock: string;
  /** The next change: a time, with its weekday if it isn't close. Null if there is none. */
  until: string | null;
  /** When to read again. */
  changesAtMs: number;
}

/** The hours as schema.org writes them: `Mo 09:00-12:00`. */
export function listOpeningHours(hours: string): string[] {
  return hours.split('; ').flatMap((day) => {
    const times = day.match(/\d\d:\d\d-\d\d:\d\d/g) ?? [];
    return times.map((time) => `${day.slice(0, 2)} ${time.replace('24:00', '23:59')}`);
  });
}

/** The intervals of a week. What goes on after midnight, also after Sunday's, is one. */
function listIntervals(hours: string): Interval[] {
  const intervals: Interval[] = [];
  listDays(hours).forEach((day, at) => {
    for (const [opens, closes] of day) {
      const last = intervals.at(-1);
      const start = opens + at * dayMinutes;
      if (last?.[1] === start) intervals.pop();
      intervals.push([last?.[1] === start ? last[0] : start, closes + at * dayMinutes]);
    }
  });
  const [first, last] = [intervals[0], intervals.at(-1)];
  if (first === undefined || last === undefined || first === last) return intervals;
  if (first[0] !== 0 || last[1] !== weekMinutes) return intervals;
  return [[last[0] - weekMinutes, first[1]], ...intervals.slice(1, -1)];
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Minutes since Monday there. Null: this system doesn't know the zone. */
function readWeekMinute(timeZone: string, at: Date): number | null {
  const options = {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  } as const;
  let clock = clocks.get(timeZone);
  try {
    clock ??= new Intl.DateTimeFormat('en-US', options);
  } catch {
    return null;
  }
  clocks.set(timeZone, clock);
  const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]));
  const day = weekdays.findIndex((name) => name === parts['weekday']);
  return day * dayMinutes + Number(parts['hour']) * 60 + Number(parts['minute']);
}

/** Whether a provider is open at a time, and what changes next; null without both. It knows no holidays. */
export function readOpening({ hours, timeZone }: StoredHours, at: Date): Opening | null {
  const now = hours === null || timeZone === null ? null : readWeekMinute(timeZone, at);
  if (now === null || hours === null) return null;
  const intervals = listIntervals(hours);
  const current = intervals.find(
    ([opens, closes]) =>
      (opens <= now && now < closes) || (opens <= now - weekMinutes && now - weekMinutes < closes),
  );
  const changes = current === undefined ? intervals.map(([opens]) => opens) : [current[1]];
  const waits = changes.map((change) => (change - now + 2 * weekMinutes) % weekMinutes || weekMinutes);
  const isEndless = current !== undefined && current[1] - current[0] === weekMinutes;
  const wait = isEndless || waits.length === 0 ? null : Math.min(...waits);
  return {
    isOpen: current !== undefined,
    clock: toClock(now % dayMinutes),
    until: wait === null ? null : describeChange(now, wait, current !== undefined),
    changesAtMs: wait === null ? Infinity : (Math.floor(at.getTime() / minuteMs) + wait) * minuteMs,
  };
}

/** A night's end needs no weekday, a morning's beginning does. */
function describeChange(now: number, wait: number, isOpen: boolean): string {
  const change = (now + wait) % weekMinutes;
  const isClose = isOpen ? wait < dayMinutes : (now % dayMinutes) + wait < dayMinutes;
  const weekday = openingTexts.weekdays[Math.floor(change / dayMinutes)] ?? '';
  return isClose ? toClock(change % dayMinutes) : `${weekday}, ${toClock(change % dayMinutes)}`;
}
