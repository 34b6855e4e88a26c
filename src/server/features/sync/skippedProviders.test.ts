import { describe, expect, test } from 'vitest';
import { acf, normalize, record } from '#test/support/providerRecord.ts';
import { meets } from '#test/support/meets.ts';

const longText = 'x'.repeat(10 * 1024 * 1024);

describe('an invalid record is skipped with its id and the reason', () => {
  test.each<[string, object, string]>([
    ['no email', { email: '' }, 'Its email address is missing.'],
    ['a wrong email', { email: 'one@example' }, 'Its email address isn’t valid.'],
    ['two emails', { email: 'a@example.com,b@example.com' }, 'Its email address isn’t valid.'],
    ['no ZIP code', { zip_code: null }, 'Its ZIP code is missing.'],
    ['a British post code', { zip_code: 'SW1A 1AA' }, '“SW1A 1AA” isn’t a five-digit US ZIP code.'],
    [
      'a ZIP code without its zero',
      { zip_code: '2139' },
      '“2139” isn’t a five-digit US ZIP code. A spreadsheet may have removed its leading zero.',
    ],
    [
      'a ZIP+4 without its zeros',
      { zip_code: '901-1234' },
      '“901-1234” isn’t a five-digit US ZIP code. A spreadsheet may have removed its leading zero.',
    ],
    ['a ZIP code of six digits', { zip_code: '802021' }, '“802021” isn’t a five-digit US ZIP code.'],
    ['a Canadian one', { zip_code: 'K1A 0B1' }, '“K1A 0B1” isn’t a five-digit US ZIP code.'],
    ['a ZIP code of nowhere', { zip_code: '00000' }, '00000 isn’t a US ZIP code.'],
    ['a ZIP code of 10 MB', { zip_code: longText }, `“${'x'.repeat(40)}…” isn’t a five-digit US ZIP code.`],
    [
      'swapped coordinates',
      { latitude: '-104.9946', longitude: '39.7491' },
      'Its latitude and longitude are swapped.',
    ],
    ['a lost sign', { longitude: '104.9946' }, 'Its coordinates are 6,627 miles from its ZIP code 80202.'],
    [
      'coordinates of a sea',
      { latitude: '10', longitude: '-150' },
      'Its coordinates are 3,436 miles from its ZIP code 80202.',
    ],
    ['a latitude beyond the pole', { latitude: 139.7 }, 'Its latitude is out of range.'],
    ['a longitude beyond the date line', { longitude: -404.9 }, 'Its longitude is out of range.'],
    ['coordinates in words', { latitude: '39° 44′' }, 'Its latitude must be a number of degrees.'],
    [
      'coordinates as an object',
      { longitude: { degrees: -104 } },
      'Its longitude must be a number of degrees.',
    ],
  ])('%s', (_, changes, reason) => {
    meets('P3.provider.05 P3.provider.11 D.sync.20');
    const given = { ...record, status: undefined, acf: { ...acf, ...changes } };
    expect(normalize(given)).toMatchObject({ kind: 'skipped', wordpressId: 12, name: 'Clinic One', reason });
  });

  test.each<[string, unknown, number | null, string]>([
    ['no object', 'text', null, 'It isn’t a JSON object.'],
    ['a list', [1], null, 'It isn’t a JSON object.'],
    ['nothing', null, null, 'It isn’t a JSON object.'],
    ['no number', { ...record, id: undefined }, null, 'It has no WordPress ID.'],
    [
      'an empty number beside an id of ours',
      { ...record, wordpress_id: '' },
      null,
      'It has no WordPress ID.',
    ],
    ['a negative number', { ...record, id: -4 }, null, 'Its WordPress ID must be a whole number above 0.'],
    [
      'a number too large',
      { ...record, id: '99999999999999999' },
      null,
      'Its WordPress ID must be a whole number above 0.',
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
      'Its name must be text.',
    ],
  ])('%s', (_, given, wordpressId, reason) => {
    expect(normalize(given)).toMatchObject({ kind: 'skipped', wordpressId, reason });
  });

  test("a prototype's property is not a field", () => {
    const given: unknown = JSON.parse(
      '{"id":3,"__proto__":{"name":"x","email":"a@example.com","zip_code":"80202"}}',
    );
    expect(normalize(given)).toMatchObject({ kind: 'skipped', reason: 'Its ZIP code is missing.' });
  });
});

describe('a value that routes no lead is left out with a warning, and the rest counts', () => {
  test.each<[string, object, string]>([
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
    ['an address that is an object', { address: { street: '1' } }, 'Its address must be text.'],
    [
      'markup behind entities',
      { practice_name: '&lt;img src=x onerror=alert(1)&gt;' },
      'Its practice name contains markup.',
    ],
    ['a phone number in words', { phone: 'call us' }, 'Its phone number isn’t valid.'],
    [
      'a script for a website',
      { website: 'javascript:alert(1)' },
      'Its website must be an http or https URL.',
    ],
    [
      'data for a picture',
      { image_url: 'data:image/svg+xml,<svg/>' },
      'Its picture must be an http or https URL.',
    ],
    [
      'a website with a password',
      { website: 'https://a:b@clinic.example.com' },
      'Its website must be an http or https URL.',
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
      'Its Google Ads ID must look like AW-123456789 or AW-123456789/label.',
    ],
    [
      'a UET tag in words',
      { bing_ads_id: 'UET 12' },
      'Its Microsoft Ads ID must be the number of a UET tag.',
    ],
    ['maybe', { accepts_financing: 'maybe' }, 'Its financing must be yes or no.'],
    ['a website that isn’t one', { website: 'N/A' }, 'Its website must be an http or https URL.'],
    ['a website of a word', { website: 'none' }, 'Its website must be an http or https URL.'],
    ['a logo that isn’t one', { logo_url: '-' }, 'Its logo must be an http or https URL.'],
    [
      'a link to mail',
      { website: { title: 'Mail', url: 'mailto:a@b.example' } },
      'Its website must be an http or https URL.',
    ],
    ['digits that a spreadsheet lost', { phone: '3.03555E+09' }, 'Its phone number isn’t valid.'],
    ['a local number', { phone: '555-0142' }, 'Its phone number isn’t valid.'],
    ['twenty digits', { phone: '12345678901234567890' }, 'Its phone number isn’t valid.'],
    [
      'lost characters',
      { practice_name: 'Cl\ufffdnica' },
      'Its practice name has characters that were lost in a conversion (\ufffd).',
    ],
    [
      'a lost character in an entity',
      { address: '1 Stra&#xfffd;e' },
      'Its address has characters that were lost in a conversion (\ufffd).',
    ],
    [
      'a lost character in a URL',
      { website: 'https://n\ufffd.example.com' },
      'Its website has characters that were lost in a conversion (\ufffd).',
    ],
  ])('%s', (_, changes, reason) => {
    const email = 'new@example.com';
    const given = {
      ...record,
      status: undefined,
      title: { rendered: 'Renamed' },
      acf: { ...acf, ...changes, email },
    };
    expect(normalize(given)).toMatchObject({
      kind: 'row',
      row: { name: 'Renamed', email },
      kept: Object.keys(changes),
      warnings: [`${reason} It was left out.`],
    });
  });

  test('several at once', () => {
    const changes = { website: 'none', google_ads_id: 'G-1', accepts_financing: 'perhaps', phone: 'soon' };
    const normalized = normalize({ ...record, acf: { ...acf, ...changes } });
    expect(normalized.kept.toSorted()).toEqual(Object.keys(changes).toSorted());
    expect(normalized.warnings).toHaveLength(4);
  });
});

describe('“not active” needs only the id', () => {
  const words = [
    'inactive',
    'closed',
    'disabled',
    'deactivated',
    'unpublished',
    'draft',
    'trash',
    'f',
    'false',
    'no',
    'off',
    '0',
  ];
  const spellings = (word: string) => [word, word.toUpperCase(), ` ${word}\t`, `\u00a0${word}\u200b`];
  const faults = [
    { email: '' },
    { email: 'none', zip_code: 'none', latitude: 'x', longitude: 'y' },
    { website: 'N/A' },
    { zip_code: 2 },
    { name: { deep: { deeper: 1 } } },
  ];

  test.each(words)('%s', (word) => {
    let tried = 0;
    for (const spelled of spellings(word))
      for (const fault of faults)
        for (const shape of [
          spelled,
          [spelled],
          { value: spelled, label: '' },
          { value: spelled, label: 'Geschlossen' },
        ]) {
          const flat = normalize({
            wordpress_id: 7,
            email: 'a@example.com',
            zip_code: '80202',
            ...fault,
            status: shape,
          });
          const custom = normalize({ id: 7, status: 'publish', acf: { ...acf, ...fault, status: shape } });
          for (const normalized of [flat, custom])
            expect(normalized.kind === 'row' ? normalized.row.status : normalized.kind).toMatch(
              /^(?:gone|f)$/,
            );
          tried += 1;
        }
    expect(tried).toBe(80);
  });

  test('in any place that says so', () => {
    for (const own of [
      { status: 'publish', meta: { status: ['closed'] } },
      { status: 'trash', acf: { ...acf, status: 'active' } },
      { status: false },
      { status: 0 },
      { acf: { ...acf, status: { value: '2', label: 'Closed' } } },
      { acf: { ...acf, status: { value: 0, label: 'Off' } } },
      { acf: { ...acf, status: { value: 'disabled', label: 'Not shown' } } },
      { acf: { ...acf, status: ['Active', 'Closed'] } },
      { acf: { ...acf, status: [{ term_id: 4, name: 'Closed clinics', slug: 'closed' }] } },
    ]) {
      const normalized = normalize({ ...record, ...own, title: '' });
      expect([own, normalized.kind]).toEqual([own, 'gone']);
    }
  });

  test('its reason is kept as a warning', () => {
    expect(normalize({ id: 3, status: 'f' })).toMatchObject({
      kind: 'gone',
      wordpressId: 3,
      warnings: ['Its ZIP code is missing. It is deactivated all the same.'],
    });
  });
});

test.each<[unknown, object]>([
  ['', {}],
  ['  ', {}],
  [null, {}],
  [[], {}],
  [{}, {}],
  [{ value: '', label: '' }, {}],
  [false, { isOff: true }],
  [0, { isOff: true }],
  [{ value: 0, label: '' }, { isOff: true }],
  [true, { isFieldUsed: true }],
  [1, { isFieldUsed: true }],
  ['1', { isFieldUsed: true }],
  [{ value: 0, label: 'Active' }, {}],
])('a custom status field with %j deactivates nobody by itself', (status, notes) => {
  expect(normalize({ ...record, acf: { ...acf, status } })).toMatchObject({
    kind: 'row',
    row: { status: 't' },
    kept: [],
    ...{ isOff: false, isFieldUsed: false, ...notes },
  });
});

test.each(['asleep', 'n', 'VIP', '2', { code: 3 }, 'inactive?', 'not closed'])(
  'the unknown status %j leaves the status as it is',
  (status) => {
    expect(normalize({ ...record, acf: { ...acf, status } })).toMatchObject({
      kind: 'row',
      kept: ['status'],
      warnings: [
        expect.stringMatching(/^Its status “.+” isn’t recognized, so its status was not changed\.$/),
      ],
    });
  },
);

test('a post behind a password is skipped, and deactivated only if it says so', () => {
  for (const own of [{ content: { protected: true } }, { excerpt: { protected: true } }, { password: 'x' }]) {
    expect(normalize({ ...record, ...own })).toMatchObject({
      kind: 'skipped',
      reason: 'Its post is protected by a password.',
    });
    expect(normalize({ ...record, ...own, acf: { ...acf, status: 'closed' } })).toMatchObject({
      kind: 'gone',
    });
  }
  expect(normalize({ ...record, content: { protected: false }, password: '' })).toMatchObject({
    kind: 'row',
  });
});

test.each(['name', 'email', 'zip_code'])('a lost character in the %s skips the row', (field) => {
  const flat = { wordpress_id: 5, name: 'A', email: 'a@example.com', zip_code: '80202' };
  expect(normalize(flat)).toMatchObject({ kind: 'row' });
  expect(normalize({ ...flat, [field]: `${String(Reflect.get(flat, field))}\ufffd` })).toMatchObject({
    kind: 'skipped',
  });
});
