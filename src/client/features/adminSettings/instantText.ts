const format = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
  hourCycle: 'h23',
});
const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** `Jan 5, 2031, 08:00:00`, in UTC. */
export function instantText(iso: string): string {
  return format.format(new Date(iso));
}

/** `Jan 5, 2031`, in UTC. */
export function dayText(iso: string): string {
  return dayFormat.format(new Date(iso));
}
