const longDates = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** `2026-11-21` as `November 21, 2026`. */
export function longDate(isoDate: string): string {
  return longDates.format(new Date(isoDate));
}

/** '1–20 of 4,210', '1 of 4,210' */
export function rangeText(first: number, last: number, total: number): string {
  const number = (value: number): string => value.toLocaleString('en-US');
  return `${number(first)}${last > first ? `–${number(last)}` : ''} of ${number(total)}`;
}

/** '3.2 miles', '48 miles', '1,204 miles'. */
export function distanceText(miles: number): string {
  const digits = miles < 10 ? 1 : 0;
  const text = miles.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return text === '1.0' ? '1 mile' : `${text} miles`;
}

/** '1 lead', '4,210 leads' */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : `${noun}s`}`;
}

/** The total of a list: `100,000+` if there may be more. */
export function totalText(total: number, isLeast: boolean): string {
  return `${total.toLocaleString('en-US')}${isLeast ? '+' : ''}`;
}
