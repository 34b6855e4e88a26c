import { expect, test } from 'vitest';
import { longTime, zoneName } from './localTime.ts';

const [eastern, central, mountain] = ['America/New_York', 'America/Chicago', 'America/Denver'];
const [pacific, arizona] = ['America/Los_Angeles', 'America/Phoenix'];

test.each([
  [eastern, 'Eastern'],
  ['America/Indiana/Indianapolis', 'Eastern'],
  [mountain, 'Mountain'],
  [arizona, 'Arizona'],
  ['America/Anchorage', 'Alaska'],
  ['America/Adak', 'Aleutian'],
  ['Pacific/Honolulu', 'Hawaii'],
  ['America/Puerto_Rico', 'Atlantic'],
  ['Pacific/Guam', 'Guam'],
  ['Pacific/Pago_Pago', 'Samoa'],
  ['UTC', 'UTC'],
])('%s is called %s', (zone, name) => {
  expect(zoneName(zone)).toBe(name);
});

test.each([
  ['2026-06-01T20:14:00Z', [mountain], 'June 1, 2026 at 2:14 PM Mountain'],
  ['2026-12-01T21:14:00Z', [mountain], 'December 1, 2026 at 2:14 PM Mountain'],
  // The hour that summer time skips, and the one that winter time repeats.
  ['2027-03-14T09:00:00Z', [mountain], 'March 14, 2027 at 3:00 AM Mountain'],
  ['2026-11-01T07:30:00Z', [mountain], 'November 1, 2026 at 1:30 AM Mountain'],
  ['2026-11-01T08:30:00Z', [mountain], 'November 1, 2026 at 1:30 AM Mountain'],
  ['2026-06-01T20:14:00Z', [mountain, pacific], 'June 1, 2026 at 2:14 PM Mountain / 1:14 PM Pacific'],
  ['2026-06-01T20:14:00Z', [mountain, arizona], 'June 1, 2026 at 2:14 PM Mountain / 1:14 PM Arizona'],
  ['2026-12-01T21:14:00Z', [mountain, arizona], 'December 1, 2026 at 2:14 PM Mountain'],
  [
    '2026-06-02T04:30:00Z',
    [eastern, central],
    'June 2, 2026 at 12:30 AM Eastern / June 1, 2026 at 11:30 PM Central',
  ],
  ['2026-06-01T20:14:00Z', [], 'June 1, 2026 at 8:14 PM UTC'],
  ['2026-06-01T20:14:00Z', [central, mountain, pacific], 'June 1, 2026 at 8:14 PM UTC'],
])('%s in %j is %s', (iso, zones, text) => {
  expect(longTime(iso, zones)).toBe(text);
});
