const format = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
  hourCycle: 'h23',
});

/** `Jan 5, 2031, 08:00:00`, in UTC: the audit log is read by people in several zones and filtered by UTC's days. */
export function utcText(iso: string): string {
  return format.format(new Date(iso));
}
