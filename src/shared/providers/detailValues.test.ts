import { expect, test } from 'vitest';
import {
  parseHours,
  parseHttps,
  parseLanguages,
  parseNpi,
  parseParagraphs,
  parsePictures,
  parseTimeZone,
  parseYearOrDate,
} from './detailValues.ts';

test.each([
  ['1234567893', '1234567893'],
  [' 1234567893 ', '1234567893'],
  ['1234567890', undefined],
  ['12345 67893', undefined],
  ['123456789A', undefined],
  ['3234567893', undefined],
])('NPI %j is read as %j', (text, expected) => {
  expect(parseNpi(text)).toBe(expected);
});

test.each([
  ['2015', '2015'],
  ['2015-06-30', '2015-06-30'],
  ['6/30/2015', '2015-06-30'],
  ['20150630', '2015-06-30'],
  ['2015-06-30T00:00:00', '2015-06-30'],
  ['2015-02-30', undefined],
  ['2027', undefined],
  ['2026-11-27', undefined],
  ['42185', undefined],
  ['1899', undefined],
  ['since 2015', undefined],
])('certified since %j is read as %j', (text, expected) => {
  expect(parseYearOrDate(text, new Date('2026-11-26T12:00:00Z'))).toBe(expected);
});

const rest = (first: string) =>
  `${first}; Tue closed; Wed closed; Thu closed; Fri closed; Sat closed; Sun closed`;

test.each([
  ['Mon 09:00-12:00, 13:00-17:00', rest('Mon 09:00-12:00, 13:00-17:00')],
  ['Monday: 1pm – 5 PM and 9 a.m. – 12 p.m.', rest('Mon 09:00-12:00, 13:00-17:00')],
  ['Mon 00:00-24:00', rest('Mon 00:00-24:00')],
  ['mo 8:00-12:00\nTue Closed', rest('Mon 08:00-12:00')],
  ['Mon 9-5', undefined],
  ['Mon 9:00-5:00', undefined],
  ['Mon 1:00-5:00', undefined],
  ['Mon 22:00-02:00', undefined],
  ['Mon 09:00-09:00', undefined],
  ['Mon 24:00-24:30', undefined],
  ['Mon 09:00-12:00, 11:00-13:00', undefined],
  ['Mon 08:00-09:00, 10:00-11:00, 12:00-13:00', undefined],
  ['Mon 09:00-25:00', undefined],
  ['Funday 09:00-17:00', undefined],
  ['by appointment', undefined],
  ['Weekdays 09:00-17:00', undefined],
  ['Money 09:00-17:00', undefined],
  ['M 09:00-17:00', undefined],
  [`Mon${' '.repeat(100_000)}x`, undefined],
  [`Mon${'- '.repeat(50_000)}9`, undefined],
])('hours %j are read as %j', (text, expected) => {
  expect(parseHours(text)).toBe(expected);
});

test('hours for a range of days are stored for each day, and read back unchanged', () => {
  const stored = parseHours('Sat-Mon 10:00-11:00; Wed closed') ?? '';
  expect(stored).toBe(
    'Mon 10:00-11:00; Tue closed; Wed closed; Thu closed; Fri closed; Sat 10:00-11:00; Sun 10:00-11:00',
  );
  expect(parseHours(stored)).toBe(stored);
  expect(parseHours('Saturdays, Su., MON : 10:00 to 11:00 | Thurs off')).toBe(stored);
});

test.each([
  ['America/Denver', 'America/Denver'],
  ['america/new york', 'America/New_York'],
  ['America/Phoenix', 'America/Phoenix'],
  ['EST', undefined],
  ['+05:00', undefined],
  ['Etc/GMT+5', undefined],
  ['Mars/Olympus', undefined],
])('time zone %j is read as %j', (text, expected) => {
  expect(parseTimeZone(text)).toBe(expected);
});

test.each([
  [['en, Spanish; zh-hant'], ['en', 'es', 'zh-Hant']],
  [['French', 'fr'], ['fr']],
  [[''], []],
  [['Klingonish'], undefined],
  [['en', 'x'], undefined],
])('languages %j are read as %j', (texts, expected) => {
  expect(parseLanguages(texts)).toEqual(expected);
});

const picture = (number: number) => `https://clinic.example/${number}.jpg`;

test('pictures are six at most, by https or a path of this site', () => {
  expect(parsePictures([`${picture(1)} /own/2.jpg; ${picture(1)}`])).toEqual([picture(1), '/own/2.jpg']);
  expect(parsePictures([1, 2, 3, 4, 5, 6].map(picture))).toHaveLength(6);
  expect(parsePictures([1, 2, 3, 4, 5, 6, 7].map(picture))).toBeUndefined();
  for (const refused of [
    'javascript:alert(1)',
    '//evil.example/a.png',
    '/\\evil.example',
    'http://clinic.example/a',
  ])
    expect(parsePictures([refused])).toBeUndefined();
});

test('a booking address is https and names nobody’s password', () => {
  expect(parseHttps('https://book.example/a b')).toBe('https://book.example/a%20b');
  for (const refused of [
    'http://book.example/',
    'javascript:alert(1)',
    'https://me:pw@book.example/',
    'book.example',
  ])
    expect(parseHttps(refused)).toBeUndefined();
});

test('a description keeps its paragraphs, without blank lines and what nobody sees', () => {
  expect(parseParagraphs(' One\u200b  line \r\n\r\n\tTwo\0 ')).toBe('One line\nTwo');
  expect(parseParagraphs('\ud800')).toBe('\ufffd');
  expect(parseParagraphs('a'.repeat(2000))).toHaveLength(2000);
  expect(parseParagraphs('a'.repeat(2001))).toBeUndefined();
  expect(parseParagraphs('a'.repeat(10_000_000))).toBeUndefined();
  expect(parseParagraphs('a\n'.repeat(200))?.split('\n')).toHaveLength(40);
});
