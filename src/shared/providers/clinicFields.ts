import { z } from 'zod';
import {
  parseHours,
  parseHttps,
  parseLanguages,
  parseLine,
  parseNpi,
  parseParagraphs,
  parsePictures,
  parseTimeZone,
  parseYearOrDate,
  picturesMax,
} from './detailValues.ts';

const optional = (description: string) => z.string().nullable().meta({ description });

/** A text that staff type, read as a source's is. A blank one clears the field. */
function typedText(expected: string, parse: (text: string) => string | undefined) {
  return z
    .string()
    .nullable()
    .transform((text, ctx) => {
      if (text === null || text.trim() === '') return null;
      const value = parse(text);
      if (value === undefined) ctx.addIssue({ code: 'custom', message: `Enter ${expected}` });
      return value ?? z.NEVER;
    });
}

/** The same for a list, which may also be typed as one text. */
function typedList(expected: string, parse: (texts: readonly string[]) => string[] | undefined) {
  return z
    .union([z.string(), z.array(z.string())])
    .nullable()
    .transform((given, ctx) => {
      const values = given === null ? [] : parse(typeof given === 'string' ? [given] : given);
      if (values === undefined) ctx.addIssue({ code: 'custom', message: `Enter ${expected}` });
      return values === undefined ? z.NEVER : values.length === 0 ? null : values;
    });
}

/** A field that a source delivers: its column, its name in messages, and where it is shown. */
export function fromSource<const Column extends string, const Outputs extends readonly string[]>(
  column: Column,
  label: string,
  outputs: Outputs,
) {
  return { column, label, owner: 'source', outputs } as const;
}

/** What all these fields have in common. */
function describe<const Column extends string>(column: Column, label: string) {
  return { ...fromSource(column, label, ['page', 'staff', 'csv']), keptIfMissing: true } as const;
}

function detail(parse: (text: string) => string | undefined, expected: string) {
  return { kind: 'detail', parse, expected, edit: typedText(expected, parse) } as const;
}

function lineOfText(lengthMax: number) {
  const parse = (text: string): string | undefined => parseLine(text, lengthMax);
  return { kind: 'text', lengthMax, edit: typedText(`at most ${lengthMax} characters`, parse) } as const;
}

const expectedLanguages = 'languages such as English or es';
const expectedPictures = `up to ${picturesMax} https addresses`;
const expectedHours = 'hours such as Mon-Fri 09:00-12:00, 13:00-17:00; Sat closed';

/** What visitors may want to know of a clinic and its clinician: a part of the table of fields. */
export const clinicFields = {
  clinicianName: {
    ...describe('clinician_name', 'clinician name'),
    schema: optional('Who treats the patients'),
    ...lineOfText(200),
    synonyms: ['clinician', 'doctor', 'doctor name', 'physician', 'surgeon'],
  },
  credential: {
    ...describe('credential', 'credential'),
    schema: optional('Of the clinician, such as MD, FACS'),
    ...lineOfText(100),
    synonyms: ['credentials', 'degree', 'degrees', 'suffix'],
  },
  npi: {
    ...describe('npi', 'NPI'),
    schema: optional('National Provider Identifier of the clinician: ten digits'),
    ...detail(parseNpi, 'the ten digits of an NPI'),
    lengthMax: 20,
    synonyms: ['npi number', 'national provider identifier'],
  },
  certifiedSince: {
    ...describe('certified_since', 'certification date'),
    schema: optional('A year, or a date such as 2015-06-30'),
    ...detail(
      (text) => parseYearOrDate(text),
      'a year or date that isn’t in the future, such as 2015 or 2015-06-30',
    ),
    lengthMax: 40,
    synonyms: ['board certified since', 'certified', 'certification year'],
  },
  about: {
    ...describe('about', 'description'),
    schema: optional('Plain text, a paragraph a line'),
    kind: 'paragraphs',
    lengthMax: 2000,
    edit: typedText('at most 2,000 characters', parseParagraphs),
    synonyms: ['bio', 'biography', 'about us'],
  },
  hours: {
    ...describe('hours', 'hours'),
    owner: 'staff',
    schema: optional(
      'Opening hours in its time zone: `Mon 09:00-12:00, 13:00-17:00; Tue closed; …`, each weekday once. Null: not known',
    ),
    kind: 'hours',
    lengthMax: 500,
    expected: expectedHours,
    edit: typedText(expectedHours, parseHours),
    synonyms: ['opening hours', 'office hours', 'business hours'],
  },
  timeZone: {
    ...describe('time_zone', 'time zone'),
    owner: 'staff',
    schema: optional('IANA name, such as America/Denver'),
    ...detail(parseTimeZone, 'a time zone such as America/Denver'),
    lengthMax: 64,
    synonyms: ['tz'],
  },
  languages: {
    ...describe('languages', 'languages'),
    schema: z.array(z.string()).nullable().meta({ description: 'BCP 47 tags' }),
    kind: 'languages',
    expected: expectedLanguages,
    edit: typedList(expectedLanguages, parseLanguages),
    synonyms: ['language', 'languages spoken'],
  },
  pictures: {
    ...describe('pictures', 'pictures'),
    schema: z.array(z.string()).nullable().meta({ description: 'Up to six, beside the portrait' }),
    kind: 'pictures',
    lengthMax: 2048,
    expected: expectedPictures,
    edit: typedList(expectedPictures, parsePictures),
    synonyms: ['gallery', 'images', 'photos'],
  },
  bookingUrl: {
    ...describe('booking_url', 'booking URL'),
    schema: optional('Where visitors book an appointment'),
    ...detail(parseHttps, 'an https address'),
    lengthMax: 2048,
    synonyms: ['booking', 'booking link', 'appointment url', 'schedule url'],
  },
} as const;
