import { describe, expect, test } from 'vitest';
import { acf, normalize, record } from '#test/support/providerRecord.ts';

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
      { longitude: { value: -104 } },
      'Its longitude must be a number of degrees.',
    ],
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
    ['a status nobody knows', { status: 'asleep' }, 'Its status “asleep” isn’t recognized.'],
  ])('%s', (_, changes, reason) => {
    const given = { ...record, status: undefined, acf: { ...acf, ...changes } };
    expect(normalize(given)).toEqual({ kind: 'skipped', wordpressId: 12, name: 'Clinic One', reason });
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
