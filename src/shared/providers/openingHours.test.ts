import { describe, expect, test } from 'vitest';
import { openingTexts } from '../formats/openingTexts.ts';
import { parseHours } from './detailValues.ts';
import { listDayTimes, listShortHours } from './dayTimes.ts';
import { listOpeningHours, readOpening } from './openingHours.ts';

const office = parseHours('Mon-Fri 09:00-12:00, 13:00-17:00') ?? '';
const nights =
  parseHours(
    'Fri 18:00-24:00; Sat 00:00-02:00, 18:00-24:00; Sun 00:00-02:00, 20:00-24:00; Mon 00:00-01:00',
  ) ?? '';
const always = parseHours('Mon-Sun 00:00-24:00') ?? '';
const never = parseHours('Mon closed') ?? '';
const sundays = parseHours('Sun 10:00-11:00') ?? '';

describe('at any time it is known whether a clinic is open and what changes next', () => {
  // 2026-11-25 is a Wednesday; Denver is UTC-7, and UTC-6 in summer.
  test.each([
    [office, 'America/Denver', '2026-11-25T21:14:30Z', true, '2:14 PM', '5:00 PM'],
    [office, 'America/Denver', '2026-11-25T16:00:00Z', true, '9:00 AM', '12:00 PM'],
    [office, 'America/Denver', '2026-11-25T19:00:00Z', false, '12:00 PM', '1:00 PM'],
    [office, 'America/Denver', '2026-11-26T00:00:00Z', false, '5:00 PM', 'Thursday, 9:00 AM'],
    [office, 'America/Denver', '2026-11-28T03:00:00Z', false, '8:00 PM', 'Monday, 9:00 AM'],
    // The same clock in summer is an hour earlier elsewhere.
    [office, 'America/Denver', '2026-07-01T20:14:00Z', true, '2:14 PM', '5:00 PM'],
    // The night when clocks go forward has no 2:30.
    [office, 'America/Denver', '2026-03-08T09:30:00Z', false, '3:30 AM', 'Monday, 9:00 AM'],
    [nights, 'America/Denver', '2026-11-28T06:30:00Z', true, '11:30 PM', '2:00 AM'],
    [nights, 'America/Denver', '2026-11-28T08:30:00Z', true, '1:30 AM', '2:00 AM'],
    // From Sunday into Monday, over the end of the week.
    [nights, 'America/Denver', '2026-11-30T06:30:00Z', true, '11:30 PM', '1:00 AM'],
    [nights, 'America/Denver', '2026-11-30T07:30:00Z', true, '12:30 AM', '1:00 AM'],
    [nights, 'America/Denver', '2026-11-30T08:30:00Z', false, '1:30 AM', 'Friday, 6:00 PM'],
    [always, 'Pacific/Honolulu', '2026-11-30T08:30:00Z', true, '10:30 PM', null],
    [never, 'America/Denver', '2026-11-30T08:30:00Z', false, '1:30 AM', null],
    [sundays, 'America/Denver', '2026-11-29T18:30:00Z', false, '11:30 AM', 'Sunday, 10:00 AM'],
  ])('%s in %s at %s: %s', (hours, timeZone, at, isOpen, clock, until) => {
    const opening = readOpening({ hours, timeZone }, new Date(at));
    expect(opening).toMatchObject({ isOpen, clock, until });
    const changesAtMs = opening?.changesAtMs ?? 0;
    expect(changesAtMs).toBeGreaterThan(Date.parse(at));
    const later = until === null ? null : readOpening({ hours, timeZone }, new Date(changesAtMs));
    expect(later?.isOpen).toBe(until === null ? undefined : !isOpen);
  });
});

test('without hours, a zone or one that this system knows, nothing is said', () => {
  const at = new Date('2026-11-25T21:14:30Z');
  expect(readOpening({ hours: null, timeZone: 'America/Denver' }, at)).toBeNull();
  expect(readOpening({ hours: office, timeZone: null }, at)).toBeNull();
  expect(readOpening({ hours: office, timeZone: 'America/Atlantis' }, at)).toBeNull();
});

test('the table names each day’s times, also of a closed and of a whole day', () => {
  expect(listDayTimes(office)).toEqual([
    ...Array.from({ length: 5 }, () => '9:00 AM – 12:00 PM\n1:00 PM – 5:00 PM'),
    openingTexts.closed,
    openingTexts.closed,
  ]);
  expect(listDayTimes(always)).toEqual(Array.from({ length: 7 }, () => openingTexts.allDay));
});

test('search engines get a line per interval and none for a closed day', () => {
  expect(listOpeningHours(office).slice(0, 3)).toEqual([
    'Mo 09:00-12:00',
    'Mo 13:00-17:00',
    'Tu 09:00-12:00',
  ]);
  expect(listOpeningHours(office)).toHaveLength(10);
  expect(listOpeningHours(never)).toEqual([]);
});

test.each([
  [office, ['Mon–Fri 9:00 AM – 12:00 PM, 1:00 PM – 5:00 PM']],
  [
    parseHours('Mon 09:00-17:00; Wed, Thu 10:00-12:00; Sat 08:00-10:00') ?? '',
    ['Mon 9:00 AM – 5:00 PM', 'Wed–Thu 10:00 AM – 12:00 PM', 'Sat 8:00 AM – 10:00 AM'],
  ],
  [always, [`Mon–Sun ${openingTexts.allDay}`]],
  [never, []],
])('%s in short', (hours, lines) => {
  expect(listShortHours(hours)).toEqual(lines);
});
