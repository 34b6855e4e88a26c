import { describe, expect, test } from 'vitest';
import { loadZipTable } from '../matching/zipTable.ts';
import { createFieldMap, type FieldOverrides } from './fieldMap.ts';
import { normaliseProvider } from './normaliseProvider.ts';

const zipTable = loadZipTable();

function normalise(
  record: unknown,
  {
    fields = {},
    media = new Map<number, string>(),
  }: { fields?: FieldOverrides; media?: Map<number, string> } = {},
) {
  const base = 'https://cms.example/blog/';
  return normaliseProvider(record, {
    fields: createFieldMap(fields),
    mainDomains: ['main.example'],
    zipTable,
    base,
    media,
  });
}

const acf = {
  address: '1 Sample Street, Denver, CO',
  zip_code: '80202',
  latitude: '39.7491',
  longitude: '-104.9946',
  phone: '(303) 555-0142',
  email: 'one@example.com',
};
const record = {
  id: 12,
  status: 'publish',
  title: { rendered: 'Clinic One' },
  link: 'https://cms.example/p/1/',
  acf,
  meta: {},
};

/** What comes of a record with these fields changed. */
function row(changes: object, own: object = {}): unknown {
  const normalised = normalise({ ...record, ...own, acf: { ...acf, ...changes } });
  return normalised.kind === 'row' ? normalised.row : normalised;
}

test('a record of WordPress becomes a whole row', () => {
  expect(normalise(record)).toEqual({
    kind: 'row',
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

test('a flat row under the specification’s names is the same, and names may be its own', () => {
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
  expect(normalise(flat)).toMatchObject({
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
  ['control characters and lone halves', 'Cli\u0000nic\ud800', 'Cli nic\ufffd'],
])('a title with %s is read as people do', (_, rendered, name) => {
  expect(row({}, { title: { rendered } })).toMatchObject({ name });
});

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
  expect(row(given)).toMatchObject(expected);
});

test('pictures given as numbers are looked up, also the post’s own; one that is gone is none', () => {
  const media = new Map([[31, 'https://cms.example/31.jpg']]);
  const of = (own: object, changes: object = {}) =>
    normalise({ ...record, ...own, acf: { ...acf, ...changes } }, { media });
  expect(of({ featured_media: 31 })).toMatchObject({ row: { image_url: 'https://cms.example/31.jpg' } });
  expect(of({}, { logo_url: '31' })).toMatchObject({ row: { logo_url: 'https://cms.example/31.jpg' } });
  expect(of({}, { image_url: { ID: 31 } })).toMatchObject({
    row: { image_url: 'https://cms.example/31.jpg' },
  });
  expect(of({ featured_media: 32 })).toMatchObject({ row: { image_url: null } });
});

test.each([
  ['javascript:alert(1)', 'Its picture is not an http or https address.'],
  [`https://cms.example/${'a'.repeat(3_000)}`, expect.stringMatching(/^Its picture is longer than/)],
])('the address that a picture’s number stands for is judged: %.30s', (address, reason) => {
  const media = new Map([[31, address]]);
  expect(normalise({ ...record, featured_media: 31 }, { media })).toMatchObject({ kind: 'skipped', reason });
});

test.each([
  ['//cdn.example/31.jpg', 'https://cdn.example/31.jpg'],
  ['/uploads/31.jpg', 'https://cms.example/uploads/31.jpg'],
  ['https://cms.example/3\t\n1.jpg', expect.stringMatching(/^[!-~]+$/)],
  ['', null],
])('the address %j of a picture’s number is written as browsers write it', (address, image_url) => {
  const media = new Map([[31, address]]);
  expect(normalise({ ...record, featured_media: 31 }, { media })).toMatchObject({ row: { image_url } });
});

test('acf counts before meta, an empty acf field lets meta speak', () => {
  const meta = { phone: ['303-555-0199'], practice_name: 'Of meta' };
  expect(row({ phone: '', practice_name: 'Of acf' }, { meta })).toMatchObject({
    phone: '303-555-0199',
    practice_name: 'Of acf',
  });
});

test('a configured place counts alone', () => {
  const fields = { practice_name: 'acf.practice', zip_code: 'meta.zip.code' };
  const given = {
    ...record,
    acf: { ...acf, practice: 'There', practice_name: 'Here' },
    meta: { zip: { code: '60601' } },
  };
  const near = { ...given, acf: { ...given.acf, latitude: null } };
  expect(normalise(near, { fields })).toMatchObject({ row: { practice_name: 'There', zip_code: '60601' } });
  expect(normalise({ ...given, meta: {} }, { fields })).toMatchObject({
    kind: 'skipped',
    reason: 'Its ZIP code is missing.',
  });
});

test.each(['draft', 'pending', 'private', 'future', 'trash'])(
  'a post that is %s is gone, however little else it says',
  (status) => {
    expect(normalise({ id: 12, status })).toEqual({ kind: 'gone', wordpressId: 12, name: null });
    expect(normalise({ ...record, status, acf: { status: 'active' } })).toMatchObject({ kind: 'gone' });
  },
);

const longText = 'x'.repeat(10 * 1024 * 1024);

describe('what is wrong is skipped, with its number and reason', () => {
  test.each<[string, object, string]>([
    ['no e-mail', { email: '' }, 'Its e-mail address is missing.'],
    ['a wrong e-mail', { email: 'one@example' }, 'Its e-mail address is not valid.'],
    ['two e-mails', { email: 'a@example.com,b@example.com' }, 'Its e-mail address is not valid.'],
    ['no ZIP code', { zip_code: null }, 'Its ZIP code is missing.'],
    ['a British post code', { zip_code: 'SW1A 1AA' }, '“SW1A 1AA” is not a US ZIP code of five digits.'],
    ['an Austrian one', { zip_code: 1010 }, '“1010” is not a US ZIP code of five digits.'],
    ['a Canadian one', { zip_code: 'K1A 0B1' }, '“K1A 0B1” is not a US ZIP code of five digits.'],
    ['a ZIP code of nowhere', { zip_code: '00000' }, 'No US ZIP code begins as 00000 does.'],
    [
      'a ZIP code of 10 MB',
      { zip_code: longText },
      `“${'x'.repeat(40)}…” is not a US ZIP code of five digits.`,
    ],
    [
      'swapped coordinates',
      { latitude: '-104.9946', longitude: '39.7491' },
      'Its latitude and longitude are the wrong way round.',
    ],
    ['a lost sign', { longitude: '104.9946' }, 'Its coordinates are 6,627 miles from its ZIP code 80202.'],
    [
      'coordinates of a sea',
      { latitude: '10', longitude: '-150' },
      'Its coordinates are 3,436 miles from its ZIP code 80202.',
    ],
    ['a latitude beyond the pole', { latitude: 139.7 }, 'Its latitude is beyond what there is.'],
    ['a longitude beyond the date line', { longitude: -404.9 }, 'Its longitude is beyond what there is.'],
    ['coordinates in words', { latitude: '39° 44′' }, 'Its latitude is not a number of degrees.'],
    ['coordinates as an object', { longitude: { value: -104 } }, 'Its longitude is not a number of degrees.'],
    [
      'a practice name of 10 MB',
      { practice_name: longText },
      'Its practice name is longer than 200 characters.',
    ],
    [
      'an address that is a little too long',
      { address: 'x'.repeat(501) },
      'Its address is longer than 500 characters.',
    ],
    ['an address that is an object', { address: { street: '1' } }, 'Its address is not a text.'],
    [
      'markup behind entities',
      { practice_name: '&lt;img src=x onerror=alert(1)&gt;' },
      'Its practice name holds markup.',
    ],
    ['a phone number in words', { phone: 'call us' }, 'Its phone number is not one.'],
    [
      'a script for a website',
      { website: 'javascript:alert(1)' },
      'Its website is not an http or https address.',
    ],
    [
      'data for a picture',
      { image_url: 'data:image/svg+xml,<svg/>' },
      'Its picture is not an http or https address.',
    ],
    [
      'a website with a password',
      { website: 'https://a:b@clinic.example.com' },
      'Its website is not an http or https address.',
    ],
    ['the main site’s domain', { domain: 'https://main.example/' }, 'main.example belongs to the main site.'],
    [
      'a domain that is an address',
      { domain: '203.0.113.7' },
      '203.0.113.7 is an IP address. A domain is a name, such as clinic.com.',
    ],
    [
      'a Google Ads id of Analytics',
      { google_ads_id: 'G-12345' },
      'Its Google Ads id does not look like AW-123456789 or AW-123456789/label.',
    ],
    ['a UET tag in words', { bing_ads_id: 'UET 12' }, 'Its Microsoft Ads id is not the number of a UET tag.'],
    ['maybe', { accepts_financing: 'maybe' }, 'Its financing is neither yes nor no.'],
    ['a status nobody knows', { status: 'asleep' }, 'Its status “asleep” is not known.'],
  ])('%s', (_, changes, reason) => {
    const given = { ...record, status: undefined, acf: { ...acf, ...changes } };
    expect(normalise(given)).toEqual({ kind: 'skipped', wordpressId: 12, name: 'Clinic One', reason });
  });

  test.each<[string, unknown, number | null, string]>([
    ['no object', 'text', null, 'It is not a JSON object.'],
    ['a list', [1], null, 'It is not a JSON object.'],
    ['nothing', null, null, 'It is not a JSON object.'],
    ['no number', { ...record, id: undefined }, null, 'It has no WordPress number.'],
    [
      'an empty number beside an id of ours',
      { ...record, wordpress_id: '' },
      null,
      'It has no WordPress number.',
    ],
    ['a negative number', { ...record, id: -4 }, null, 'Its WordPress number is not a whole number above 0.'],
    [
      'a number too large',
      { ...record, id: '99999999999999999' },
      null,
      'Its WordPress number is not a whole number above 0.',
    ],
    ['no name', { ...record, title: { rendered: ' <b></b> ' } }, 12, 'Its name is missing.'],
    [
      'a name of 10 MB',
      { ...record, title: { rendered: longText } },
      12,
      'Its name is longer than 200 characters.',
    ],
    [
      'a name that is a number of places',
      { ...record, title: { rendered: { deep: 1 } } },
      12,
      'Its name is not a text.',
    ],
  ])('%s', (_, given, wordpressId, reason) => {
    expect(normalise(given)).toMatchObject({ kind: 'skipped', wordpressId, reason });
  });

  test('a prototype is no field', () => {
    const given: unknown = JSON.parse(
      '{"id":3,"__proto__":{"name":"x","email":"a@example.com","zip_code":"80202"}}',
    );
    expect(normalise(given)).toMatchObject({ kind: 'skipped', reason: 'Its ZIP code is missing.' });
  });
});
