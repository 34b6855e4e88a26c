import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { acf, normalize, record, row } from '#test/support/providerRecord.ts';
import { meets } from '#test/support/meets.ts';

test('a WordPress record becomes a complete row', () => {
  meets('P3.provider.15');
  expect(normalize(record)).toEqual({
    kind: 'row',
    ...{ warnings: [], kept: [], isOff: false, isFieldUsed: false },
    row: {
      wordpress_id: 12,
      name: 'Clinic One',
      practice_name: null,
      address: '1 Sample Street, Denver, CO',
      zip_code: '80202',
      status: 't',
      latitude: 39.7491,
      longitude: -104.9946,
      phone: '(303) 555-0142',
      email: 'one@example.com',
      website: null,
      url: 'https://cms.example/p/1/',
      domain: null,
      google_ads_id: null,
      bing_ads_id: null,
      image_url: null,
      logo_url: null,
      accepts_free_consultation: false,
      accepts_financing: false,
    },
  });
});

test("a flat record with the specification's or its own names is the same row", () => {
  meets('P3.provider.03 P3.provider.04');
  const flat = {
    wordpress_id: '7',
    id: '99',
    name: 'Flat',
    practiceName: 'Practice',
    zipCode: '80202-1234',
    email: 'flat@example.com',
    status: 'Inactive',
    accepts_financing: 'yes',
  };
  expect(normalize(flat)).toMatchObject({
    kind: 'row',
    row: {
      wordpress_id: 7,
      name: 'Flat',
      practice_name: 'Practice',
      zip_code: '80202',
      status: 'f',
      accepts_financing: true,
    },
  });
});

test.each([
  ['ampersands', 'Smith &amp; Sons &#038; Co', 'Smith & Sons & Co'],
  ['quotes and dashes', 'Men&#8217;s Health &#8212; Denver', 'Men’s Health — Denver'],
  ['tags', '<b>Bold</b> <em>Clinic</em>', 'Bold Clinic'],
  ['a script and what it does', 'Clinic<script>alert(1)</script>', 'Clinic'],
  ['a script without an end', 'Clinic <script>alert(1)', 'Clinic'],
  ['lines and spaces', '  Clinic<br>of\n\tDenver ', 'Clinic of Denver'],
  ['an angle that is none', 'Less < More', 'Less < More'],
  ['control characters', 'Cli\u0000nic', 'Cli nic'],
  ['a prefix of WordPress’', 'Private: Clinic', 'Clinic'],
  ['both prefixes', 'Protected: Private: Clinic', 'Clinic'],
  ['a word like a prefix', 'Privately: Clinic', 'Privately: Clinic'],
])('a title with %s is plain text', (_, rendered, name) => {
  meets('D.sync.18');
  expect(row({}, { title: { rendered } })).toMatchObject({ name });
});

function allTexts(value: string | null): Record<string, string | null> {
  const names = ['practice_name', 'address', 'phone', 'website', 'domain', 'google_ads_id', 'bing_ads_id'];
  return Object.fromEntries([...names, 'image_url', 'logo_url'].map((name) => [name, value]));
}

test.each([
  [
    'numbers as texts',
    { latitude: '39.7491239', longitude: '-104.9946' },
    { latitude: 39.749124, longitude: -104.9946 },
  ],
  ['coordinates never set', { latitude: 0, longitude: 0 }, { latitude: null, longitude: null }],
  ['coordinates as empty texts', { latitude: '', longitude: '' }, { latitude: null, longitude: null }],
  ['half of the coordinates', { latitude: '', longitude: '-104.9' }, { latitude: null, longitude: null }],
  [
    'false for empty',
    { phone: false, website: false, domain: false, image_url: false },
    { phone: null, website: null, domain: null, image_url: null },
  ],
  ['empty texts', allTexts(''), allTexts(null)],
  ['texts of spaces', allTexts('  '), allTexts(null)],
  [
    'yes as a checkbox has it',
    { accepts_financing: ['yes'], accepts_free_consultation: '1' },
    { accepts_financing: true, accepts_free_consultation: true },
  ],
  [
    'no in its ways',
    { accepts_financing: '0', accepts_free_consultation: 'No' },
    { accepts_financing: false, accepts_free_consultation: false },
  ],
  ['a domain as typed', { domain: 'https://WWW.Clinic.example/start?x=1' }, { domain: 'clinic.example' }],
  [
    'a website without its scheme',
    { website: 'clinic.example.com' },
    { website: 'https://clinic.example.com/' },
  ],
  [
    'a website with an entity',
    { website: 'https://c.example.com/?a=1&#038;copy=2' },
    { website: 'https://c.example.com/?a=1&copy=2' },
  ],
  [
    'a picture as an address',
    { image_url: 'https://cms.example/a.jpg' },
    { image_url: 'https://cms.example/a.jpg' },
  ],
  [
    'a picture as a path',
    { image_url: '/uploads/a.jpg' },
    { image_url: 'https://cms.example/uploads/a.jpg' },
  ],
  [
    'a picture as an object',
    { logo_url: { ID: 5, url: 'https://cms.example/l.png' } },
    { logo_url: 'https://cms.example/l.png' },
  ],
  [
    'ad ids',
    { google_ads_id: 'AW-123456789/AbC', bing_ads_id: 12345 },
    { google_ads_id: 'AW-123456789/AbC', bing_ads_id: '12345' },
  ],
])('%s are tolerated', (_, given, expected) => {
  meets('P3.provider.10 P3.provider.13 D.sync.19');
  expect(row(given)).toMatchObject(expected);
});

test('images given by id are looked up, and a missing one is null', () => {
  const media = new Map([[31, 'https://cms.example/31.jpg']]);
  const of = (own: object, changes: object = {}) =>
    normalize({ ...record, ...own, acf: { ...acf, ...changes } }, { media });
  expect(of({ featured_media: 31 })).toMatchObject({ row: { image_url: 'https://cms.example/31.jpg' } });
  expect(of({}, { logo_url: '31' })).toMatchObject({ row: { logo_url: 'https://cms.example/31.jpg' } });
  expect(of({}, { image_url: { ID: 31 } })).toMatchObject({
    row: { image_url: 'https://cms.example/31.jpg' },
  });
  expect(of({ featured_media: 32 })).toMatchObject({ row: { image_url: null } });
});

test.each([
  ['javascript:alert(1)', 'Its picture must be an http or https URL. It was left out.'],
  [`https://cms.example/${'a'.repeat(3_000)}`, expect.stringMatching(/^Its picture is longer than/)],
])('the URL of an image id is checked: %.30s', (address, reason) => {
  const media = new Map([[31, address]]);
  expect(normalize({ ...record, featured_media: 31 }, { media })).toMatchObject({
    row: { name: 'Clinic One' },
    kept: ['image_url'],
    warnings: [reason],
  });
});

test.each([
  ['//cdn.example/31.jpg', 'https://cdn.example/31.jpg'],
  ['/uploads/31.jpg', 'https://cms.example/uploads/31.jpg'],
  ['https://cms.example/3\t\n1.jpg', expect.stringMatching(/^[!-~]+$/)],
  ['', null],
])("the URL %j of an image id gets the browser's spelling", (address, image_url) => {
  const media = new Map([[31, address]]);
  expect(normalize({ ...record, featured_media: 31 }, { media })).toMatchObject({ row: { image_url } });
});

test('acf overrides meta unless the acf field is empty', () => {
  const meta = { phone: ['303-555-0199'], practice_name: 'Of meta' };
  expect(row({ phone: '', practice_name: 'Of acf' }, { meta })).toMatchObject({
    phone: '303-555-0199',
    practice_name: 'Of acf',
  });
});

test('a configured path is the only one', () => {
  const fields = { practice_name: 'acf.practice', zip_code: 'meta.zip.code' };
  const given = {
    ...record,
    acf: { ...acf, practice: 'There', practice_name: 'Here' },
    meta: { zip: { code: '60601' } },
  };
  const near = { ...given, acf: { ...given.acf, latitude: null } };
  expect(normalize(near, { fields })).toMatchObject({ row: { practice_name: 'There', zip_code: '60601' } });
  expect(normalize({ ...given, meta: {} }, { fields })).toMatchObject({
    kind: 'skipped',
    reason: 'Its ZIP code is missing.',
  });
});

test.each(['draft', 'pending', 'private', 'future', 'trash'])(
  'a post with the status %s is gone, with or without other fields',
  (status) => {
    expect(normalize({ id: 12, status })).toMatchObject({ kind: 'gone', wordpressId: 12, name: null });
    expect(normalize({ ...record, status, acf: { status: 'active' } })).toMatchObject({ kind: 'gone' });
  },
);

/** A control character or half a surrogate pair, in each form that a record may contain. */
const control = fc
  .oneof(fc.integer({ min: 0, max: 0x1f }), fc.integer({ min: 0x7f, max: 0x9f }), fc.constant(0xd800))
  .chain((code) =>
    fc.constantFrom(
      String.fromCharCode(code),
      `&#${code};`,
      `&#x${code.toString(16)};`,
      `&amp;#${code};`,
      '&Tab;',
      '&NewLine;',
      '<br>',
      `<b title="${String.fromCharCode(code)}">`,
    ),
  );

/** A valid text, or one with some of these before, inside or after it. */
const soiled = (text: string) => {
  const dirt = fc.array(fc.oneof(control, fc.string({ unit: 'grapheme', maxLength: 3 })), { maxLength: 3 });
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(text) },
    fc
      .tuple(dirt, fc.nat(text.length))
      .map(([soil, at]) => text.slice(0, at) + soil.join('') + text.slice(at)),
  );
};

test('no text of a row contains a control character', () => {
  const records = fc.record({
    title: fc.record({ rendered: soiled('Clinic One') }),
    link: soiled('https://cms.example/p/1/'),
    featured_media: fc.constantFrom(31, 32),
    picture: soiled('https://cms.example/31.jpg'),
    acf: fc.record({
      practice_name: soiled('Practice'),
      address: soiled(acf.address),
      zip_code: soiled(acf.zip_code),
      status: soiled('active'),
      phone: soiled(acf.phone),
      email: soiled(acf.email),
      website: soiled('https://clinic.example.com/a?b=c#d'),
      domain: soiled('https://clinic.example.com/'),
      google_ads_id: soiled('AW-123456789/AbC'),
      bing_ads_id: soiled('12345'),
      logo_url: soiled('/uploads/a.jpg'),
    }),
  });
  const rows = fc.sample(records, { numRuns: 2_000, seed: 12 }).flatMap(({ picture, ...changes }) => {
    const given = { ...record, ...changes, status: undefined, acf: { ...acf, ...changes.acf } };
    const normalized = normalize(given, { media: new Map([[31, picture]]) });
    return normalized.kind === 'row' ? [normalized.row] : [];
  });
  // Enough texts with such characters were accepted.
  expect(rows.length).toBeGreaterThan(500);
  const texts = rows.flatMap((provider) => Object.values(provider).map(String));
  expect(texts.filter((text) => /\p{Cc}/u.test(text))).toEqual([]);
});

test.each([
  [{ status: true }, 't'],
  [{ status: false }, 'f'],
  [{ status: 1 }, 't'],
  [{ status: ' Inactive ' }, 'f'],
  [{ status: 'Trash' }, 'gone'],
  [{ acf: { ...acf, status: 'draft' }, status: undefined }, 'gone'],
  [{ status: {} }, 't'],
])('the status of a record with %j is %j', (own, status) => {
  const normalized = normalize({ ...record, ...own });
  expect(normalized.kind === 'row' ? normalized.row.status : normalized.kind).toBe(status);
});

test.each([
  [{ url: 'https://img.example/1.png' }, 'https://img.example/1.png'],
  [{ source_url: 'https://img.example/2.png' }, 'https://img.example/2.png'],
  [{ ID: 5 }, 'https://img.example/5.png'],
  [{ id: '5' }, 'https://img.example/5.png'],
  [{ width: 5 }, null],
])('a picture given as the object %j is %j', (image_url, url) => {
  const media = new Map([[5, 'https://img.example/5.png']]);
  expect(normalize({ ...record, acf: { ...acf, image_url } }, { media })).toMatchObject({
    row: { image_url: url },
  });
});

test.each([
  [1, true],
  [0, false],
  ['Y', true],
  ['off', false],
])('%j as a yes or no is %j', (accepts_financing, value) => {
  expect(row({ accepts_financing })).toMatchObject({ accepts_financing: value });
});

test.each<[string, object, object]>([
  ['a phone number', { phone: 3035550142 }, { phone: '3035550142' }],
  ['a ZIP code', { zip_code: 80202 }, { zip_code: '80202' }],
  [
    'a ZIP code that begins with zeros',
    { zip_code: 501, latitude: '', longitude: '' },
    { zip_code: '00501' },
  ],
  ['a tag’s number', { bing_ads_id: 4012345 }, { bing_ads_id: '4012345' }],
  ['a name', { practice_name: 360 }, { practice_name: '360' }],
  ['pandas’ phone number', { phone: '3035550142.0' }, { phone: '3035550142' }],
  ['pandas’ ZIP code', { zip_code: ' 80202.0 ' }, { zip_code: '80202' }],
  ['pandas’ number of a tag', { bing_ads_id: '4012345.0' }, { bing_ads_id: '4012345' }],
  ['pandas’ yes', { accepts_financing: '1.0' }, { accepts_financing: true }],
  ['pandas’ status', { status: '0.0' }, { status: 'f' }],
  ['a version in a name', { practice_name: 'Clinic 2.0' }, { practice_name: 'Clinic 2.0' }],
  ['a decimal as a name', { practice_name: '2.0' }, { practice_name: '2.0' }],
])('%s that is a number is read as its text', (_, changes, expected) => {
  expect(normalize({ ...record, acf: { ...acf, ...changes } })).toMatchObject({
    ...{ kind: 'row', row: expected, warnings: [] },
  });
});

test.each([2139.5, -80202, 2, 1e21, '2139.0', '2139', '80202.5', '8020.20', 'nan'])(
  'a ZIP code %j is refused',
  (zip_code) => {
    expect(normalize({ ...record, acf: { ...acf, zip_code } })).toMatchObject({
      ...{ kind: 'skipped', reason: expect.stringContaining('isn’t a five-digit US ZIP code') },
    });
  },
);

test.each([
  ['phone', 30355501, 'Its phone number isn’t valid.'],
  ['phone', '3.03555e+09', 'Its phone number isn’t valid.'],
  ['website', 5, 'Its website must be an http or https URL.'],
  ['website', '5.0', 'Its website must be an http or https URL.'],
  ['bing_ads_id', 2 ** 63, 'Its Microsoft Ads ID is a number with too many digits. Send it as text.'],
])('%s %j is left out with a warning', (column, value, reason) => {
  expect(normalize({ ...record, acf: { ...acf, [column]: value } })).toMatchObject({
    ...{ kind: 'row', kept: [column], warnings: [`${reason} It was left out.`] },
  });
});

test.each([12, '12', '12.0'])('the id %j is 12; a fraction is none', (id) => {
  expect(normalize({ ...record, id })).toMatchObject({ kind: 'row', row: { wordpress_id: 12 } });
  expect(normalize({ ...record, id: '12.5' })).toMatchObject({ kind: 'skipped', wordpressId: null });
});
