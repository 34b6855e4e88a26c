const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** 'June 1, 2026 at 12:00 PM UTC': a message is read in any zone, so it names its own. */
export function mailDate(iso: string): string {
  return `${format.format(new Date(iso))} UTC`;
}
