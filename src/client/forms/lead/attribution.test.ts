import { expect, test } from 'vitest';
import { beginsVisit, parseStoredTouch, readTouch } from './attribution.ts';

test('campaign, landing path and referring host are read, nothing else of the address', () => {
  const touch = readTouch(
    'https://brand.example/start?utm_source=news&utm_medium=email&gclid=abc&zip=80202&email=ada@example.com#form',
    'https://search.example/results?q=private',
  );
  expect(touch).toEqual({
    utm_source: 'news',
    utm_medium: 'email',
    gclid: 'abc',
    landing_path: '/start',
    referrer_host: 'search.example',
  });
});

test('an address for mail in a campaign parameter is left out', () => {
  const touch = readTouch('https://brand.example/?utm_term=ada%40example.com&utm_source=mail', '');
  expect(touch).toEqual({ utm_source: 'mail', landing_path: '/' });
});

test.each([
  ['/?providerId=12&utm_source=x', '/?providerId=12'],
  ['/microsite?providerId=“7”', '/microsite?providerId=7'],
  ['/?providerId=', '/'],
  ['/?providerId=ada@example.com', '/'],
  ['/unsubscribe/ada@example.com', undefined],
  ['/unsubscribe/ada%40example.com', undefined],
])('the landing path of %j is %j', (address, path) => {
  expect(readTouch(`https://brand.example${address}`, '').landing_path).toBe(path);
});

test('empty parameters are left out and long ones cut', () => {
  const touch = readTouch(`https://brand.example/?utm_source=&utm_campaign=${'x'.repeat(500)}`, '');
  expect(touch.utm_source).toBeUndefined();
  expect(touch.utm_campaign).toHaveLength(200);
});

test('a click inside the site begins no visit; an ad or a link from elsewhere does', () => {
  const page = 'https://brand.example/';
  expect(beginsVisit(readTouch(page, 'https://brand.example/terms'))).toBe(false);
  expect(beginsVisit(readTouch(page, ''))).toBe(false);
  expect(beginsVisit(readTouch(page, 'https://search.example/'))).toBe(true);
  expect(beginsVisit(readTouch(`${page}?gclid=abc`, ''))).toBe(true);
});

test('a stored touch is read back until it is too old', () => {
  const stored = JSON.stringify({ at: 1000, touch: { utm_source: 'news' } });
  expect(parseStoredTouch(stored, 1500, 1000)).toEqual({ utm_source: 'news' });
  expect(parseStoredTouch(stored, 2000, 1000)).toBeNull();
});

test.each([null, '', '{', '[]', '{"at":1}', '{"at":"1","touch":{}}', '{"at":1,"touch":{"utm_source":5}}'])(
  'broken storage %j counts as none',
  (stored) => {
    expect(parseStoredTouch(stored, 2, 1000)).toBeNull();
  },
);
