import { describe, expect, test } from 'vitest';
import { acf, normalize, record, row } from '#test/support/providerRecord.ts';
import { withoutMarkup } from './withoutMarkup.ts';

describe('ordinary objects and empty shapes of ACF are read', () => {
  const map = { address: '2 Map Street, Denver', lat: 39.75, lng: -104.99, zoom: 14, city: 'Denver' };
  test.each<[string, object, object]>([
    [
      'a map',
      { address: map, latitude: '', longitude: 0 },
      { address: '2 Map Street, Denver', latitude: 39.75, longitude: -104.99 },
    ],
    ['a map beside coordinates', { address: map }, { address: '2 Map Street, Denver', latitude: 39.7491 }],
    [
      'a map with texts',
      { address: { address: '', lat: '39.75', lng: '-104.99' }, latitude: null },
      { address: null, longitude: -104.99 },
    ],
    [
      'an empty map',
      { address: { address: '', lat: '', lng: '' }, latitude: '', longitude: '' },
      { address: null, latitude: null },
    ],
    [
      'a link',
      { website: { title: 'Our site', url: 'https://c.example.com', target: '_blank' } },
      { website: 'https://c.example.com/' },
    ],
    [
      'a link in a list',
      { website: [{ title: '', url: 'https://c.example.com', target: '' }] },
      { website: 'https://c.example.com/' },
    ],
    ['an empty link', { website: { title: '', url: '', target: '' } }, { website: null }],
    ['a link to call', { phone: { title: 'Call us', url: 'tel:+13035550142' } }, { phone: '+13035550142' }],
    [
      'a link to mail',
      { email: { title: 'Mail us', url: 'mailto:two@example.com?subject=x' } },
      { email: 'two@example.com' },
    ],
    [
      'a link to the domain',
      { domain: { title: 'x', url: 'https://www.clinic.example/' } },
      { domain: 'clinic.example' },
    ],
    ['a choice', { accepts_financing: { value: 'yes', label: 'Yes, we do' } }, { accepts_financing: true }],
    ['a choice of no', { accepts_financing: { value: 0, label: 'No' } }, { accepts_financing: false }],
    ['choices', { accepts_financing: [{ value: '1', label: 'Yes' }] }, { accepts_financing: true }],
    ['a choice of a ZIP', { zip_code: { value: '80203', label: 'Downtown' } }, { zip_code: '80203' }],
    [
      'an image',
      { logo_url: { ID: 5, url: 'https://cms.example/l.png', title: 'Logo', sizes: {} } },
      { logo_url: 'https://cms.example/l.png' },
    ],
    [
      'images',
      { image_url: [{ url: 'https://cms.example/a.png' }, { url: 'https://cms.example/b.png' }] },
      { image_url: 'https://cms.example/a.png' },
    ],
    [
      'a post',
      { practice_name: { ID: 9, post_title: 'Partner', post_name: 'partner' } },
      { practice_name: 'Partner' },
    ],
    [
      'a post of REST',
      { practice_name: [{ id: 9, title: { rendered: 'Partner &amp; Co' }, link: 'https://x.example' }] },
      { practice_name: 'Partner & Co' },
    ],
    [
      'a person',
      { email: { ID: 2, user_email: 'three@example.com', display_name: 'Kit' } },
      { email: 'three@example.com' },
    ],
    [
      'a person as a name',
      { practice_name: { ID: 2, user_email: 'three@example.com', display_name: 'Kit Sample' } },
      { practice_name: 'Kit Sample' },
    ],
    [
      'a map as ZIP',
      { zip_code: { address: '2 High St', lat: 39.75, lng: -104.99, post_code: '80203' } },
      { zip_code: '80203' },
    ],
    ['a ZIP with blanks', { zip_code: '80203 - 1234' }, { zip_code: '80203' }],
    ['a number as ZIP', { zip_code: 80203 }, { zip_code: '80203' }],
    ['a number and four more', { zip_code: 802031234 }, { zip_code: '80203' }],
  ])('%s', (_, changes, expected) => {
    expect(row(changes)).toMatchObject(expected);
  });

  const optional = [
    ...['practice_name', 'address', 'phone', 'website', 'domain', 'google_ads_id', 'bing_ads_id'],
    ...['image_url', 'logo_url', 'latitude', 'longitude', 'accepts_financing', 'accepts_free_consultation'],
  ];
  test.each<[unknown]>([
    [false],
    [''],
    [[]],
    [{}],
    [0],
    [null],
    [[false]],
    [[[]]],
    [{ value: '', label: '' }],
  ])('%j is empty in every optional field', (empty) => {
    const changes = Object.fromEntries(optional.map((field) => [field, empty]));
    const normalized = normalize({ ...record, acf: { ...acf, ...changes } });
    expect(normalized).toMatchObject({ kind: 'row', warnings: [], kept: [] });
    for (const field of optional)
      expect([field, Reflect.get(normalized.kind === 'row' ? normalized.row : {}, field)]).toEqual([
        field,
        field.startsWith('accepts') ? false : null,
      ]);
  });

  test.each([[false], [[]], [null], [''], [0]])('custom fields that are %j leave WordPress’ own', (none) => {
    const flat = { email: 'a@example.com', zip_code: '80202' };
    expect(normalize({ ...record, ...flat, acf: none, meta: none })).toMatchObject({
      row: { name: 'Clinic One', address: null, latitude: null, phone: null },
      warnings: [],
    });
  });
});

test.each([
  [2139, '02139'],
  [901, '00901'],
  [21391234, '02139'],
])('the ZIP code %j of JSON has the zeros that a number lacks', (zip_code, zip) => {
  expect(row({ zip_code, latitude: '', longitude: '' })).toMatchObject({ zip_code: zip });
});

test.each([
  { zip_code: 2139, because: '02139 is far away' },
  { zip_code: 999, because: 'no such ZIP code' },
  { zip_code: '2139', because: 'a text' },
])('the ZIP code $zip_code is not taken for another: $because', ({ zip_code }) => {
  const normalized = row({ zip_code });
  expect(normalized).toMatchObject({
    kind: 'skipped',
    reason: expect.stringMatching(/leading zero|miles from/),
  });
});

test.each([
  ['39,7491', '-104,9946'],
  ['39.7491', '\u2212104.9946'],
  ['39.7491', '\u2013104.9946'],
  ['３９．７４９１', '－104.9946'],
  ['39.7491°', '-104.9946°'],
  ['39.7491° N', '104.9946° W'],
  ['39,7491 n', '104,9946 w'],
  ["'39.7491", "'-104.9946"],
  ['+39.7491', ' -104.9946 '],
])('the coordinates %s and %s are read', (latitude, longitude) => {
  expect(row({ latitude, longitude })).toMatchObject({ latitude: 39.7491, longitude: -104.9946 });
});

test.each([
  ['39.7491 E', '-104.9946'],
  ['39.7491', '-104.9946 W'],
  ['39,749,1', '-104.9946'],
  ['3.97491E+01', '-104.9946'],
  ['39.7491', 'west'],
])('the coordinates %s and %s skip the row', (latitude, longitude) => {
  expect(row({ latitude, longitude })).toMatchObject({ kind: 'skipped' });
});

const first = 'Its phone number has more than one number. The first one is used.';
const only = 'Its phone number has other text. Only the number is used.';
test.each<[string, string, string[]]>([
  ['1-800-GOT-SKIN', '1-800-GOT-SKIN', []],
  ['(303) 555-SKIN', '(303) 555-SKIN', []],
  ['303-555-0142 ext. 12', '303-555-0142 ext. 12', []],
  ['+44 20 7946 0958', '+44 20 7946 0958', []],
  ["'+13035550142", '+13035550142', []],
  ['303\u2013555\u20130142', '303-555-0142', []],
  ['303-555-0101 / 303-555-0102', '303-555-0101', [first]],
  ['303-555-0101, 303-555-0102', '303-555-0101', [first]],
  ['3035550101;3035550102', '3035550101', [first]],
  ['303 555 0101 or 303 555 0102', '303 555 0101', [first]],
  ['303 555 0101 303 555 0102', '303 555 0101', [first]],
  ['303-555-0142 (call before 5)', '303-555-0142', [only]],
  ['Office: 303-555-0142', '303-555-0142', [only]],
  ['303-555-0142 fax', '303-555-0142', [only]],
  ['(303) 555-0142 or (303) 555-0143', '(303) 555-0142', [first]],
  ['Tel. +1 (303) 555-0142', '+1 (303) 555-0142', [only]],
  ['٣٠٣ ٥٥٥ ٠١٤٢', '303 555 0142', []],
  ['(303) 555-0142.', '(303) 555-0142.', []],
])('the phone number %s is %s', (phone, stored, warnings) => {
  expect(normalize({ ...record, acf: { ...acf, phone } })).toMatchObject({
    row: { phone: stored },
    kept: [],
    warnings,
  });
});

test.each([
  ['kit.o’brien@example.com', "kit.o'brien@example.com"],
  ['ｋｉｔ＠example.com', 'kit@example.com'],
  ['kit@example.com.', 'kit@example.com'],
  ['mailto:kit@example.com', 'kit@example.com'],
])('the email address %s is stored as %s, which mail can reach', (email, stored) => {
  expect(row({ email })).toMatchObject({ email: stored });
});

test.each([
  ['Men<b>’s</B> <em\n class="x">Health</em>', 'Men’s Health'],
  ['One<br/>Two<P>Three</P><li>Four', 'One Two Three  Four'],
  ['A<!-- a comment > with <b>tags</b> -->B', 'AB'],
  ['A<SCRIPT>if (1 < 2) "</scripts>"</script\n>B', 'A B'],
  ['A<style>p{}</style><template><p>x</p></template>B', 'A  B'],
  ['A<noscript>x', 'A '],
  ['1 < 2 <3 <', '1 < 2 <3 <'],
  ['<<b>script>', '<script>'],
  ['A <b', 'A <b'],
  ['A <!-- B > C', 'A <!-- B > C'],
  ['A </script> B', 'A  B'],
  ['', ''],
])('the markup of %j leaves %j', (text, left) => {
  expect(withoutMarkup(text)).toBe(left);
});

test.each(['<p ', '<!--', '</', '<', '<script', '<script></script', '<b>', '</style ', '<!-- --', '<p\t\n'])(
  'two million characters of %j cost no more than their length',
  (piece) => {
    // Were the end looked for from each of them, this would take hours.
    const text = piece.repeat(2_000_000 / piece.length);
    expect(withoutMarkup(text).length).toBeLessThanOrEqual(text.length);
  },
);

test.each<[string, object]>([
  ['a link to call', { phone: { title: '', url: `tel:${'?'.repeat(2_000_000)}\n` } }],
  ['a choice', { status: { value: `${' '.repeat(2_000_000)}x`, label: 'Active' } }],
  ['a text', { practice_name: ' <p'.repeat(700_000) }],
  ['entities', { address: '&amp'.repeat(500_000) }],
  ['a website', { website: 'a.'.repeat(1_000_000) }],
  ['an email', { email: 'a@'.repeat(1_000_000) }],
  ['a ZIP', { zip_code: ' '.repeat(2_000_000) }],
])('%s of two million characters costs no more than its length', (_, changes) => {
  expect(normalize({ ...record, acf: { ...acf, ...changes } })).toHaveProperty('kind');
});

test('a name with ten times as much markup is refused, one with twice as much is read', () => {
  const bold = (length: number): string => `<b class="${'x'.repeat(length)}">Clinic</b>`;
  expect(row({ practice_name: bold(400) })).toMatchObject({ practice_name: 'Clinic' });
  const long = { ...record, acf: { ...acf, practice_name: bold(2_000) } };
  expect(normalize(long)).toMatchObject({ kept: ['practice_name'], warnings: [expect.any(String)] });
});

test.each([
  ['Vera\u202elpmaxe live', 'Veralpmaxe live'],
  ['Cli\u00adnic &shy;One&#8203;', 'Clinic One'],
  ['Clinic\u3164 One\u2066', 'Clinic One'],
  ['&rlm;Clinic &zwnj;One', 'Clinic One'],
])('the provider’s name %j is %j', (name, stored) => {
  expect(row({ practice_name: name }, { title: { rendered: name } })).toMatchObject({
    ...{ name: stored, practice_name: stored },
  });
});
